/* What made the execution fail, in a few sentences. */
#ifndef MAZUR_REPORT_GIST_H
#define MAZUR_REPORT_GIST_H

#include "trace/trace.h"

/* Adds nothing if nothing explains the failure. */
void gist_sentences(const struct trace *trace, struct text_list *list);
/* "lost wake-up: main's broadcast pool.ready_ (pool.cpp:48, #36) found nobody waiting": where
 * that made the wait endless, it is what a reader wants to know first. Other signals that find
 * nobody are nothing special; only the block of the threads that wait mentions them. */
char *lost_wakeup_sentence(const struct trace *trace);
/* The last signal that found nobody waiting for what `tid` waits for at the end; or
 * TRACE_NO_EVENT, also if a later one came in time and went to another thread. */
uint32_t find_lost_wakeup(const struct trace *trace, int tid);
/* Do they use the same object, and does one of them change it? */
bool operations_conflict(const struct trace_operation *a, const struct trace_operation *b);

#endif
