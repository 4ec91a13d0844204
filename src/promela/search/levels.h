/* Searches that count preemptions: what a bound means, and the two searches that keep to it.
 *
 * The definition (paper 001, section 2, with the corrections in docs/promela.md): a step by q
 * after a step by p != q is counted iff p has a step in that state that leads elsewhere. Nodes
 * are (state, process that moved last).
 *
 * Dominance (why one count per state is enough, Appendix A): what (s, p) reaches with count c,
 * (s, q) reaches with any smaller count. And if (s, q) has the same count as an earlier (s, p),
 * it adds only q's own steps, which are now free, unless q is blocked. So a state has one
 * count, its smallest, and the set of processes that reached it with that count: Fig. 3 of
 * paper 001 with the full pid vector. Counts are searched in order, so no state is revisited
 * for a smaller count. */
#ifndef MAZUR_PROMELA_LEVELS_H
#define MAZUR_PROMELA_LEVELS_H

#include "promela/verifier/verifier.h"

/* Per bound, for reports and tests. */
struct level_result {
    uint64_t states;      /* reached with at most that many preemptions */
    uint64_t transitions; /* looked up so far */
};

/* Called after each level that was searched completely and reached something. */
typedef void level_done(void *context, int bound, struct level_result result);

/* Searches with the bounds 0 to `last` (negative: all that are needed), each from the
 * beginning. `search` says whether anything lies beyond its bound. True: something lies beyond
 * the last. */
bool levels_search(struct verifier *verifier, int last, bool (*search)(struct verifier *, int),
                   level_done *done, void *context);

/* All states within options->bound, on all cores; the first failure found has the fewest
 * preemptions. `done` may be NULL. */
void search_bound(struct verifier *verifier, level_done *done, void *context);
/* With hashes for states; options->bound may be MODEL_BOUND_NONE. */
void search_stack(struct verifier *verifier, level_done *done, void *context);
/* Many of these with small arrays, in different orders (--search swarm). */
void search_swarm(struct verifier *verifier);
/* The same with a claim, or for cycles. */
void search_cycles(struct verifier *verifier, level_done *done, void *context);
/* In order of (preemptions, switches, length), or of length alone (--search bfs): the first
 * failure found is the smallest. */
void search_fewest(struct verifier *verifier, level_done *done, void *context);

/* Another engine for safety searches: not the threads of this process, but ranks. */
struct search_engine {
    int ranks;
    int ranks_here; /* on this machine: they share its memory */
    bool leads;     /* this rank prints and writes the result; the others have none */
    /* Why can't it search this model with these options? NULL: it can. */
    const char *(*refuse)(const struct verifier *verifier);
    /* Fills in the results, on the rank that leads. */
    void (*search)(const struct search_engine *engine, struct verifier *verifier,
                   level_done *done, void *context);
    void *context;
};

/* After search_cycles() found something: the simplest run of that kind (lasso.h), with
 * options->bound one that needs no more. Truncated: the trail is the simplest so far, or empty.
 */
void search_lasso(struct verifier *verifier);

#endif
