/* A run of a claim along a path of the system: its move before each step.
 *
 * The search for a failure has the moves of the claim that it searched with. To write a trail
 * for Spin, the moves of another automaton of the same formula, Spin's, are needed along the
 * same path: a run that comes to the claim's end or to a failing assertion of it, or that goes
 * round through an accepting state while the system goes round.
 *
 *     position   0    1    2    3 ─┐       nodes are (position, claim state); a claim may need
 *     claim      T0   T0   A    A  │       to go round the system's cycle more than once
 *                          ^───────┘
 */
#ifndef MAZUR_PROMELA_CLAIM_RUN_H
#define MAZUR_PROMELA_CLAIM_RUN_H

#include "promela/trace/follow.h"

/* The path `given` (whose claim moves are ignored) with a run of the claim of `plain`, into
 * `found`; its violation is how that run ends. False: there is none, or no memory. */
bool claim_run(struct verifier *plain, const struct trail *given, struct trail *found);

#endif
