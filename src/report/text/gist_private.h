/* Shared by gist.c and the files gist_*.c only. A sentence is malloc'd; NULL: there is nothing
 * to say. */
#ifndef MAZUR_REPORT_GIST_PRIVATE_H
#define MAZUR_REPORT_GIST_PRIVATE_H

#include "report/text/gist.h"
#include "report/text/text_private.h"
#include "trace/trace.h"

/* " (wsq.c:60, #14)" */
void add_reference(struct buffer *out, const struct trace *trace, uint32_t index);
/* " (logger.cpp:31)" */
void add_line(struct buffer *out, const struct source_stack *stack);
/* "load tail (wsq.c:60, #14)" */
void add_actor_event(struct buffer *out, const struct trace *trace, uint32_t index);
/* "T2's load tail (wsq.c:60, #14)" */
void add_actor(struct buffer *out, const struct trace *trace, uint32_t event);

/* "T2's load tail (…) sees T1's store tail (…)" */
char *relation_sentence(const struct trace *trace, uint32_t first, const char *relation,
                        uint32_t second);

/* What the kind of failure says by itself, whatever the preemptions were. *decides: it is the
 * cause. */
char *kind_sentence(const struct trace *trace, bool *decides);
/* What explains a failure that no preemption does. */
char *waiting_sentence(const struct trace *trace);
char *seen_sentence(const struct trace *trace);
char *chance_sentence(const struct trace *trace);
char *last_sight_sentence(const struct trace *trace);
/* A signal that went to another thread than the one that waits for ever. */
char *not_woken_sentence(const struct trace *trace);
/* Threads that wait for each other in a circle. */
char *circle_sentence(const struct trace *trace);
/* A signal that came before the wait. */
char *early_signal_sentence(const struct trace *trace);
/* A compare-and-swap that succeeds although what it relies on has changed (ABA). */
char *aba_sentence(const struct trace *trace, bool *decides);
/* What the later of two accesses relied on although it orders nothing. */
char *relaxed_sentence(const struct trace *trace);
/* A pointer found under a lock and used without it, while the other access holds the lock. */
char *unlocked_sentence(const struct trace *trace);
/* What happened at the inflection point, and which operation of another thread came before or
 * after it. */
char *order_sentence(const struct trace *trace);

#endif
