/* What the search of a model covered, in words: states in place of executions. */
#ifndef MAZUR_TRACE_MODEL_COVERAGE_H
#define MAZUR_TRACE_MODEL_COVERAGE_H

#include "trace/trace.h"

/* "complete: every state, 88,573 states, …"; malloc'd. */
char *model_sentence(const struct coverage *coverage);
void model_weaknesses(const struct coverage *coverage, struct text_list *list);
/* Of a search that found nothing. */
const char *model_verdict(const struct coverage *coverage);

#endif
