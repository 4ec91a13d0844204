/* Search in order of preemptions, then length: the engine behind --bound, --search fewest and
 * --search bfs.
 *
 * What a bound means (paper 001, section 2, with the corrections in docs/promela.md): a step by
 * q after a step by p != q is counted iff p has a step in that state that leads elsewhere. The
 * nodes are (state, process that moved last); the cost of a step is 0 or 1, so levels are
 * searched one after the other, and a state's smallest count is known when it is first met.
 * That is Fig. 3 of paper 001 with the full pid vector, without its revisits for a smaller
 * count, and it is why the first failure found has the fewest preemptions.
 *
 *   level c:  queue of (state, p) with count c, by length   ── free steps ──▶ same queue
 *                                                            ── counted ────▶ level c + 1
 *
 * Dominance (the reason why one count per state is enough, Appendix A): what (s, p) reaches
 * with count c, (s, q) reaches with any count below c. And (s, q) met at the same count as
 * (s, p) before adds nothing but q's own steps, now free, unless q is blocked. */
#ifndef MAZUR_PROMELA_LEVELS_H
#define MAZUR_PROMELA_LEVELS_H

#include "promela/verifier.h"

/* Per bound, for reports and tests. */
struct level_result {
    u64 states;      /* reached with at most that many preemptions */
    u64 transitions; /* looked up so far */
};

/* Called after each level that was searched in full. */
typedef void level_done(void *context, int bound, struct level_result result);

void search_levels_observed(struct verifier *verifier, level_done *done, void *context);

#endif
