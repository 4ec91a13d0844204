/* Replays the failing run of a model's trace file. */
#ifndef MAZUR_PROMELA_REPLAY_H
#define MAZUR_PROMELA_REPLAY_H

#include "promela/verifier/verifier.h"
#include "trace/trace.h"

/* The claim, formula or kind of cycle of that name (NULL: safety); false if the model has none.
 */
bool find_property(const struct model *model, const char *name, struct property *found);

/* Load the model of a trace file and run it along the schedule. The result's failure says what
 * happened this time: FAILURE_NONE, FAILURE_NONDETERMINISM if the model, changed since, can't
 * go that way. NULL after a message: the model can't be loaded. */
struct trace *model_again(const struct trace *trace);

#endif
