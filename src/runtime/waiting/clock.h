/* Virtual time and random numbers (clock.c). */
#ifndef MAZUR_RUNTIME_CLOCK_H
#define MAZUR_RUNTIME_CLOCK_H

#include <stdint.h>
#include <time.h>

uint64_t clock_nanoseconds(const struct timespec *time);
/* An absolute time as virtual nanoseconds since the start; a time in the past becomes now. */
uint64_t clock_deadline(clockid_t clock, const struct timespec *when);
void time_fix_date(void); /* the program starts a thread */
/* The time of the clock; every read returns a later time. */
uint64_t clock_look(clockid_t clock);
/* For instructions instead of calls: reads the clock, in nanoseconds; the thread's next random
 * number. */
uint64_t time_ticks(void);
uint64_t time_random(void);

#endif
