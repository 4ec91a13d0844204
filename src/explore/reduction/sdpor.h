/* Stateful dynamic partial-order reduction (paper 004): dpor (por.h), which does not go on from
 * a state that it has seen before.
 *
 * A state that was seen before needs no second look, but the path that led to it this time
 * does: what is executed after the state may be dependent with steps of the path, which then
 * must be reversed (section 4.2; simply turning back is the naive algorithm that misses
 * states). So the search learns which operations can follow which:
 *
 *      pending operations at the state ──▶ visible-operation graph ──▶ summary: all operations
 *                                                                      that may follow
 *
 * and treats each operation of the summary as if it were pending here: a backtrack point before
 * the most recent dependent step of each other thread that does not happen before it (Fig. 6).
 * It comes later, so more may happen before it by then; a point too many is the worst outcome.
 *
 * What differs from the paper:
 * - Sleep sets and source sets, as in dpor: where states never match it is as good as that. A
 *   thread that sleeps at a state is not explored from it, so a state is known together with
 *   those that slept; it matches where at least these sleep again (Godefroid, LNCS 1032, 5.4),
 *   else it is explored once more and those that slept both times are left.
 * - An edge of the paper's graph joins two steps that were executed one after the other. After
 * a step that leads to a known state nothing is executed, so the edge is missing, and a summary
 *   that starts before that step is too small. Here an edge leads from an operation to the one
 *   that its thread has pending afterwards (and to the first one of a thread that it created),
 *   drawn when a state is reached, known or not; a summary starts from all pending operations,
 *   also of disabled threads. This is smaller and has no gaps.
 * - The paper assumes that programs terminate. A state that is met again on the path itself (a
 *   cycle) is not explored completely yet, so its summary is not known. From the first cycle on
 *   a known state makes the search try every thread at every state of the path, which is the
 *   "initial solution" of section 4.2.
 *
 * States are told apart by position->fingerprint (world.h) together with a hash of the pending
 * operations and the enabled set, of 64 bits each. With n states the probability that two
 * different ones are taken for the same is below n^2 / 2^65: 3e-8 for a million. */
#ifndef MAZUR_EXPLORE_SDPOR_H
#define MAZUR_EXPLORE_SDPOR_H

#include "explore/strategy/strategy.h"

/* What the unit tests break to see that they notice. All zero in the real strategy. */
struct sdpor_rules {
    bool no_summary; /* turn back at a known state and no more: the naive algorithm */
    bool no_edges;   /* a summary is what is pending, not what follows */
    uint32_t drop;   /* leave out every drop-th backtrack point */
};

struct strategy *sdpor_create(struct strategy_context *context, const struct sdpor_rules *rules,
                              char *error, unsigned long error_size);

#endif
