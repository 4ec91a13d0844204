/* The never claim that Spin makes of a formula.
 *
 * A trail names statements by their numbers, so the moves of a formula's automaton can be
 * written for `spin -t` and `pan -r` only in terms of the claim that Spin itself generates.
 * Which one that is depends on how Spin rewrites formulas; it is asked for it (`spin -a` leaves
 * the text of its claims in _spin_nvr.tmp), the claim is read like any other, and a run of it
 * along the failing path is looked for (claim_run.h). */
#ifndef MAZUR_PROMELA_SPIN_CLAIM_H
#define MAZUR_PROMELA_SPIN_CLAIM_H

#include "host/buffer.h"
#include "promela/verifier/verifier.h"

/* The text of a trail with the moves of Spin's claim for that formula, which `trail` violates.
 * NULL if it was written, else why not. */
const char *spin_claim_write(struct buffer *out, const struct verifier *plain,
                             const struct trail *trail, const struct formula *formula);

#endif
