/* Names of the small enumerations, in trace files and reports. */
#ifndef MAZUR_TRACE_NAMES_H
#define MAZUR_TRACE_NAMES_H

/* A row of names, ended by NULL, indexed by value. */
extern const char *const switch_reason_names[];
extern const char *const thread_state_names[];
extern const char *const memory_order_names[]; /* by __ATOMIC_* */
extern const char *const lesson_names[];       /* by enum lesson_kind */

const char *name_of(const char *const *names, unsigned value); /* "?" outside */
int value_of(const char *const *names, const char *name);      /* -1: unknown */

#endif
