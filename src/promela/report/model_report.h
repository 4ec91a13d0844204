/* The end of a run as the result that every report is made from. */
#ifndef MAZUR_PROMELA_MODEL_REPORT_H
#define MAZUR_PROMELA_MODEL_REPORT_H

#include "promela/verifier/verifier.h"
#include "trace/result.h"

/* What the search of one property came to, with the trace of its failure; NULL after a message.
 * The model's automata are built anew for the trace: the verifier searches no more. */
struct result *model_result(struct verifier *verifier, const struct property *property);

#endif
