/* --shard i/n: one search divided among n machines that do not talk to each other.
 *
 * Every shard divides the search in the same way (division.h), searches the leaves that are
 * dealt to it, and reports what it found; `mazur merge` combines the reports
 * (cli/commands/merge.c).
 */
#ifndef MAZUR_CLI_SHARDS_H
#define MAZUR_CLI_SHARDS_H

#include <stddef.h>

#include "cli/jobs/foreman.h"
#include "trace/shard.h"

#define SHARDS_MOST 1000

/* Reads the option; of = 0: no shards. "auto" takes the numbers from the environment. False
 * after a message. */
bool shard_read(const char *text, struct shard *shard);

/* A leaf of the division. */
struct shard_leaf {
    struct leaf_record *record;
    double weight;    /* executions, or a guess: what it will cost */
    bool indivisible; /* it was tried */
    int shard;        /* to which it is dealt, from 0 */
};

/* Deals the leaves to n shards: the heaviest first, each to the shard with the least weight so
 * far. */
void shards_deal(struct shard_leaf *leaf, size_t count, int n);
/* What must be the same in all shards: the leaves, in their order. */
uint64_t shards_hash(const struct shard_leaf *leaf, size_t count);

#endif
