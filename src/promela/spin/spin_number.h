/* The numbers by which Spin's trails name statements and claims.
 *
 * A statement has a number over the whole model, in the order in which Spin's parser makes them
 * (automata.c counts along). Claims are numbered with the proctypes. */
#ifndef MAZUR_PROMELA_SPIN_NUMBER_H
#define MAZUR_PROMELA_SPIN_NUMBER_H

#include "promela/verifier/verifier.h"

/* Of a transition; -1: there is none. */
int spin_number(const struct verifier *v, uint32_t transition);
/* The claim if it stands in the text, else NULL: the automata of formulas and of non-progress
 * are not Spin's, and their moves mean nothing to it. */
const struct proctype *spin_written_claim(const struct model *model);
int spin_claim_number(const struct model *model, const struct proctype *claim);

#endif
