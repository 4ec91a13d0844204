/* A thread's virtual time (waiting/clock.c). */
#ifndef MAZUR_RUNTIME_THREAD_TIME_H
#define MAZUR_RUNTIME_THREAD_TIME_H

#include <stdbool.h>
#include <stdint.h>

#define NEVER UINT64_MAX /* no deadline */

struct thread_time {
    uint64_t now;      /* virtual nanoseconds since the start */
    uint64_t deadline; /* of the pending operation, NEVER: none */
    bool timed_out;
    bool saw_clock;      /* it has read a clock since the last progress */
    bool read_since;     /* and made a visible read after it */
    uint16_t looks;      /* how often it has read a clock */
    uint16_t idle_looks; /* … after its last operation, which was step … */
    uint32_t looks_from;
};

#endif
