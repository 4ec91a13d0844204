/* Timers in virtual time (timer.c). */
#ifndef MAZUR_RUNTIME_TIMERS_H
#define MAZUR_RUNTIME_TIMERS_H

#include <stdint.h>

/* Start of an execution. */
void timers_begin(void);
/* When the next timer fires; NEVER: none will. */
uint64_t timers_next(void);
/* Fires the next timer. */
void timers_fire(void);
/* The current thread has slept: fires the timers that were due meanwhile. */
void timers_slept(void);

#endif
