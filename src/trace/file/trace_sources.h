/* The source files of a trace: which, and whether they have changed since. */
#ifndef MAZUR_TRACE_SOURCES_H
#define MAZUR_TRACE_SOURCES_H

#include <jansson.h>

#include "trace/trace.h"

/* Files of the recipe and of the places in the trace with hashes of their contents. Paths are
 * made relative by `portable` (malloc'd). */
json_t *json_sources(const struct trace *trace, char *(*portable)(const char *, const char *));
/* The first source that has changed, or NULL: none has, or nothing is known. A missing source
 * counts as changed. */
const char *trace_changed_source(const struct trace *trace);

#endif
