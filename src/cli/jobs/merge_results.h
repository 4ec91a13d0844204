/* What all shards of a search prove together: `mazur merge`. */
#ifndef MAZUR_CLI_MERGE_RESULTS_H
#define MAZUR_CLI_MERGE_RESULTS_H

#include "trace/result.h"

/* The result that the whole search would have had. Takes the failures out of the shards.
 *
 * A bound is finished if every shard has finished it. Bounds that were finished before the
 * search was divided are finished in every shard; if a shard is missing, nothing else is
 * claimed. The result of a shard that has searched everything holds for all.
 *
 * NULL with a malloc'd reason: they are not shards of the same search. `name[i]` is what the
 * reason calls shard[i]. */
struct result *merge_results(struct result *const *shard, char *const *name, size_t count,
                             char **why);

#endif
