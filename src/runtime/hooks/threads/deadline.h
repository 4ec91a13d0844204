/* Deadlines that the program gives. */
#ifndef MAZUR_RUNTIME_DEADLINE_H
#define MAZUR_RUNTIME_DEADLINE_H

#include <stdint.h>
#include <time.h>

#include "runtime/access/caller.h"
#include "runtime/waiting/clock.h"

/* An absolute time as virtual nanoseconds since the start. A time in the past becomes the
 * current time. */
static inline uint64_t time_deadline(clockid_t clock, const struct timespec *when, uint64_t pc)
{
    if (when)
        caller_reads(when, sizeof *when, pc);
    return clock_deadline(clock, when);
}

#endif
