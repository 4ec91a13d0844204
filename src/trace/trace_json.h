/* The trace type as JSON: written into results and trace files, read back from trace files. */
#ifndef MAZUR_REPORT_TRACE_JSON_H
#define MAZUR_REPORT_TRACE_JSON_H

#include <jansson.h>

#include "trace/trace.h"

/* Text that may hold any bytes: what is not UTF-8 becomes \xNN. */
json_t *json_safe_text(const char *text);
/* The same for words that must come back exactly: where they are not UTF-8, {"bytes": hex}. */
json_t *json_exact_text(const char *text);

/* Numbers places so that a stack is a short list of numbers. */
struct place_table;
struct place_table *place_table_new(void);
void place_table_free(struct place_table *table);
/* The table as JSON, for the reader; call it last. */
json_t *place_table_json(const struct place_table *table);

/* With `places` NULL an event or failure has its source line, but no stack. */
json_t *json_event(const struct trace_event *event, struct place_table *places);
json_t *json_thread(const struct trace_thread *thread, struct place_table *places);
json_t *json_failure(const struct trace_failure *failure, struct place_table *places);
json_t *json_coverage(const struct coverage *coverage);
json_t *json_location(const struct trace_place *place);
/* simplest.c: "simplest" and "inflection", null where nothing is known */
json_t *json_simplest(const struct trace *trace);
json_t *json_inflection(const struct trace *trace);

/* Read what mzt_write wrote into a fresh trace. NULL, or a malloc'd reason. */
char *trace_from_json(struct trace *trace, const json_t *root);

#endif
