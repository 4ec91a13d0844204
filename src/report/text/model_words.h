/* Models in the reports: states in place of executions, statements in place of operations. */
#ifndef MAZUR_REPORT_MODEL_H
#define MAZUR_REPORT_MODEL_H

#include <jansson.h>

#include "report/text/text_private.h"

/* "complete: every state, 88,573 states, …"; malloc'd. */
char *model_sentence(const struct coverage *coverage);
void model_weaknesses(const struct coverage *coverage, struct text_list *list);
/* Of a search that found nothing. */
const char *model_verdict(const struct coverage *coverage);
/* The counts, into an object. */
void model_json(json_t *object, const struct coverage *coverage);
/* "   x: 0 → 1, q: [] → [3]" */
void add_changes(struct buffer *out, const struct trace *trace,
                 const struct trace_event *event);

#endif
