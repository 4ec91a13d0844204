/* Which failures of a search are the same to the user. */
#ifndef MAZUR_TRACE_SAME_FAILURE_H
#define MAZUR_TRACE_SAME_FAILURE_H

#include "trace/trace.h"

/* Keeps the simplest of several traces of the same failure; frees the others and sets them to
 * NULL. */
void merge_failures(struct trace **traces, size_t count);

#endif
