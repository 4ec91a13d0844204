/* Timers in virtual time (timer.c), and what they need of signals. */
#ifndef MAZUR_RUNTIME_TIMERS_H
#define MAZUR_RUNTIME_TIMERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define OBJECT_TIMERS UINT64_C(0xfff7000000000000)

/* Start of an execution. */
void timers_begin(void);
/* When the next timer goes off, NEVER: none will. */
uint64_t timers_next(void);
/* It goes off now. */
void timers_fire(void);
/* The current thread has slept: timers that were due meanwhile go off. */
void timers_slept(void);

/* signal.c: a signal to the process at a virtual time, from nobody. */
void signals_from_timer(int number, union sigval value, uint64_t when);
bool signals_would_kill(int number);

/* For instructions in place of calls: a look at the clock, in nanoseconds; the thread's next
 * random number. */
uint64_t time_ticks(void);
uint64_t time_random(void);

#endif
