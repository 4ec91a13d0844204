/* Which failures of a search are one and the same to its user. */
#ifndef MAZUR_TRACE_SAME_FAILURE_H
#define MAZUR_TRACE_SAME_FAILURE_H

#include "trace/trace.h"

/* Of traces that show the same failure keep the simplest; the others are freed, and NULL. */
void merge_failures(struct trace **traces, size_t count);

#endif
