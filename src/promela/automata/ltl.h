/* Linear temporal logic: Büchi automata of formulas. */
#ifndef MAZUR_PROMELA_LTL_H
#define MAZUR_PROMELA_LTL_H

#include "promela/language/formula.h"

/* A claim that accepts exactly the runs that violate the formula. */
struct proctype *ltl_claim(struct model *model, const struct formula *formula, int *next_id);
/* The claim that accepts runs in which np_ holds from some point on for ever. */
struct proctype *progress_claim(struct model *model, int *next_id);

#endif
