/* Which statements a search for safety never executed. */
#ifndef MAZUR_PROMELA_UNREACHED_H
#define MAZUR_PROMELA_UNREACHED_H

#include "promela/verifier/verifier.h"
#include "trace/result.h"

/* Into the result, in the order of the text; before the automata are rebuilt. */
void note_unreached(struct result *result, const struct verifier *verifier);

#endif
