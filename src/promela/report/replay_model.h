/* The failing run of a model's trace file once more. */
#ifndef MAZUR_PROMELA_REPLAY_H
#define MAZUR_PROMELA_REPLAY_H

#include "trace/trace.h"

/* Load the model of a trace file and run it along the schedule. The result's failure says what
 * happened this time: FAILURE_NONE, FAILURE_NONDETERMINISM if the model, changed since, can't
 * go that way. NULL after a message: the model can't be loaded. */
struct trace *model_again(const struct trace *trace);

#endif
