/* A failure of a model as the one trace type, made by running the model along its path. */
#ifndef MAZUR_PROMELA_MODEL_TRACE_H
#define MAZUR_PROMELA_MODEL_TRACE_H

#include "promela/trace/follow.h"
#include "trace/trace.h"

/* Follow a plain trail of `verifier` (prepared with --optimize off) to its failure. The trace
 * has failure kind FAILURE_NONE if the path can be followed but nothing fails, and
 * FAILURE_NONDETERMINISM if it can't be followed. NULL: no memory. */
struct trace *model_trace(struct verifier *verifier, const struct trail *trail, bool fair);
/* The same along the schedule of a trace file. */
struct trace *model_trace_again(struct verifier *verifier, const struct trace *trace);
/* The steps of that schedule as a trail, found by running the model once; false where the model
 * can't go on. */
bool model_schedule(struct verifier *verifier, const struct trace *trace, struct trail *trail);
/* "array index out of range", … */
const char *fault_text(uint32_t fault);
enum failure_kind violation_kind(enum violation violation);

#endif
