/* The trace type as JSON: written into results and trace files, read back from trace files. */
#ifndef MAZUR_TRACE_TRACE_JSON_H
#define MAZUR_TRACE_TRACE_JSON_H

#include "trace/json_fields.h"
#include "trace/shard.h"

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
/* The object "shard" of a result. */
json_t *json_shard(const struct shard *shard);
json_t *json_location(const struct source_place *place);
/* simplest.c: "simplest" and "inflection", null where nothing is known */
json_t *json_simplest(const struct trace *trace);
json_t *json_inflection(const struct trace *trace);

/* Parts of trace_from_json. */
void read_coverage(struct trace_reader *reader, const json_t *root); /* coverage_json.c */
/* The list "bounds"; the result is how many. */
int read_bound_rows(struct trace_reader *reader, const json_t *object, struct bound_row *row,
                    bool model);
void read_simplest(struct trace_reader *reader, const json_t *root); /* simplest.c */

/* Read what mzt_write wrote into a fresh trace. NULL, or a malloc'd reason. */
char *trace_from_json(struct trace *trace, const json_t *root);

#endif
