/* Timers in virtual time (timer.c). */
#ifndef MAZUR_RUNTIME_TIMERS_H
#define MAZUR_RUNTIME_TIMERS_H

#include <stdint.h>

/* Start of an execution. */
void timers_begin(void);
/* When the next timer goes off, NEVER: none will. */
uint64_t timers_next(void);
/* It goes off now. */
void timers_fire(void);
/* The current thread has slept: timers that were due meanwhile go off. */
void timers_slept(void);

#endif
