/* The ranks of a spread search in one thread: turns in a random order, messages that are late
 * by chance, in order between any two. Each rank numbers shapes on its own, as a process would.
 */
#ifndef MAZUR_TESTS_RANKS_IN_ONE_H
#define MAZUR_TESTS_RANKS_IN_ONE_H

#include "promela/spread/spread.h"

struct ranks_setup {
    int ranks;
    uint64_t seed;
    struct spread_setup spread;
    long turns; /* after so many all ranks are killed; 0: they are not */
};

/* Results are in `verifier`, as of any search. False: the ranks were killed before the end. */
bool search_ranks(struct verifier *verifier, const struct ranks_setup *setup);

#endif
