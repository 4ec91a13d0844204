/* The simplest form of a failure and its inflection point, for all reports. */
#ifndef MAZUR_TRACE_SIMPLEST_H
#define MAZUR_TRACE_SIMPLEST_H

#include "trace/trace.h"

/* Is it proven that no execution with fewer preemptions fails? If *only_this_failure is set, it
 * is only proven that none of them fails in this way. */
bool is_fewest_preemptions(const struct trace *trace, bool *only_this_failure);
/* Is it proven that every continuation from the inflection point on fails? */
bool is_inflection_proven(const struct trace *trace);
/* What simplifying did, and the inflection point; malloc'd, NULL: nothing to say. */
char *simplest_sentence(const struct trace *trace);
char *inflection_sentence(const struct trace *trace);

#endif
