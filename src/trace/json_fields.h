/* Fields of JSON objects: short functions to write them, and checked ones to read them.
 *
 * Reading: every field of a trace file goes through one of the get_ functions, which check type
 * and range. The first error is kept with its key, everything after it reads as zero or empty,
 * and in the end the caller gets a reason instead of a trace. */
#ifndef MAZUR_TRACE_JSON_FIELDS_H
#define MAZUR_TRACE_JSON_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

/* --- Writing --- */

/* Text that may hold any bytes: what is not UTF-8 becomes \xNN. */
json_t *json_safe_text(const char *text);
/* The same for words that must be read back exactly: {"bytes": hex} if they are not UTF-8. */
json_t *json_exact_text(const char *text);
json_t *json_text_list(const struct text_list *list);

void put_field(json_t *object, const char *key,
               json_t *value); /* takes ownership of the value */
/* Nothing where the text is NULL or empty. */
void put_text(json_t *object, const char *key, const char *text);
void put_number(json_t *object, const char *key, int64_t number);
void put_flag(json_t *object, const char *key, bool flag);

/* --- Reading --- */

#define WORDS_MAX 100000

/* A trace that is being read. */
struct trace_reader {
    struct trace *trace;
    char *reason; /* the first complaint, malloc'd; NULL: none so far */
    size_t nplaces;
    struct source_place *place; /* that its stacks refer to */
};

void reject_field(struct trace_reader *reader, const char *key, const char *what);
/* The field if it has this type, else NULL. A wrong type, or a missing required field, is an
 * error. */
const json_t *get_field(struct trace_reader *reader, const json_t *object, const char *key,
                        json_type type, bool required);
/* A number, or `missing` where there is none. */
int64_t get_number(struct trace_reader *reader, const json_t *object, const char *key,
                   int64_t minimum, int64_t maximum, int64_t missing);
int64_t need_number(struct trace_reader *reader, const json_t *object, const char *key,
                    int64_t minimum, int64_t maximum);
uint64_t get_long_count(struct trace_reader *reader, const json_t *object, const char *key);
uint32_t get_count(struct trace_reader *reader, const json_t *object, const char *key);
bool get_flag(struct trace_reader *reader, const json_t *object, const char *key);
const char *get_text(struct trace_reader *reader, const json_t *object, const char *key,
                     const char *missing);
/* The index of a text in a row of names that NULL ends (names.h); 0 where it is missing. */
unsigned get_name(struct trace_reader *reader, const json_t *object, const char *key,
                  const char *const *names);
const json_t *get_list(struct trace_reader *reader, const json_t *object, const char *key,
                       size_t maximum);
/* What json_exact_text wrote; `key` is for the complaint. */
const char *decode_word(struct trace_reader *reader, const json_t *value, const char *key);
const char *get_word(struct trace_reader *reader, const json_t *object, const char *key);
const char **get_words(struct trace_reader *reader, const json_t *object, const char *key,
                       size_t *count);

#endif
