/* Calls for time and random numbers: clocks, sleeps (which yield), random sources
 * (waiting/clock.c). */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/times.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/process/timers.h"
#include "runtime/hooks/threads/deadline.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/waiting/clock.h"
#include "runtime/waiting/counted.h"

#define SECOND UINT64_C(1000000000)

static void sleep_for(uint64_t duration, uint64_t pc)
{
    struct op op = op_make(OP_SLEEP, OP_YIELDS, NULL, pc);
    schedule_point(&op);
    cancel_if_asked(&op);
    rt.self->time.now += duration;
    schedule_done(&op);
    timers_slept();
}

static void yield_turn(uint64_t pc)
{
    if (counted_passes_yield())
        return;
    struct op op = op_make(OP_YIELD, OP_YIELDS, NULL, pc);
    schedule_visible(&op);
}

int sched_yield_hook(void);
FIBER_STUB(sched_yield);
int sched_yield_hook(void)
{
    if (UNLIKELY(!rt.on)) /* a trial continues through yields, so none is requested */
        return real.sched_yield();
    yield_turn(CALLER);
    return 0;
}

void thrd_yield_hook(void);
FIBER_STUB(thrd_yield);
void thrd_yield_hook(void)
{
    if (UNLIKELY(!rt.on)) {
        real.thrd_yield();
        return;
    }
    yield_turn(CALLER);
}

unsigned sleep_hook(unsigned seconds);
FIBER_STUB(sleep);
unsigned sleep_hook(unsigned seconds)
{
    UNLESS_ON(sleep(seconds));
    sleep_for(seconds * SECOND, CALLER);
    return 0;
}

int usleep_hook(useconds_t microseconds);
FIBER_STUB(usleep);
int usleep_hook(useconds_t microseconds)
{
    UNLESS_ON(usleep(microseconds));
    sleep_for(microseconds * UINT64_C(1000), CALLER);
    return 0;
}

static bool is_valid(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && (uint64_t)time->tv_nsec < SECOND;
}

int nanosleep_hook(const struct timespec *duration, struct timespec *left);
FIBER_STUB(nanosleep);
int nanosleep_hook(const struct timespec *duration, struct timespec *left)
{
    UNLESS_ON(nanosleep(duration, left));
    caller_reads(duration, sizeof *duration, CALLER);
    if (!is_valid(duration)) {
        errno = EINVAL;
        return -1;
    }
    sleep_for(clock_nanoseconds(duration), CALLER);
    return 0;
}

int clock_nanosleep_hook(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left);
FIBER_STUB(clock_nanosleep);
int clock_nanosleep_hook(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left)
{
    UNLESS_ON(clock_nanosleep(clock, flags, time, left));
    caller_reads(time, sizeof *time, CALLER);
    if (!is_valid(time))
        return EINVAL;
    uint64_t duration = flags & TIMER_ABSTIME
                            ? time_deadline(clock, time, 0) - rt.self->time.now
                            : clock_nanoseconds(time);
    sleep_for(duration, CALLER);
    return 0;
}

int thrd_sleep_hook(const struct timespec *duration, struct timespec *left);
FIBER_STUB(thrd_sleep);
int thrd_sleep_hook(const struct timespec *duration, struct timespec *left)
{
    UNLESS_ON(thrd_sleep(duration, left));
    caller_reads(duration, sizeof *duration, CALLER);
    if (!is_valid(duration))
        return -2;
    sleep_for(clock_nanoseconds(duration), CALLER);
    return 0;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    UNLESS_ON(clock_gettime(clock, time));
    uint64_t now = clock_look(clock);
    caller_writes(time, sizeof *time, CALLER);
    time->tv_sec = (time_t)(now / SECOND);
    time->tv_nsec = (long)(now % SECOND);
    return 0;
}

EXPORT int timespec_get(struct timespec *time, int base)
{
    UNLESS_ON(timespec_get(time, base));
    if (base != TIME_UTC)
        return 0;
    caller_writes(time, sizeof *time, CALLER);
    clock_gettime(CLOCK_REALTIME, time);
    return base;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    UNLESS_ON(gettimeofday(time, zone));
    uint64_t now = clock_look(CLOCK_REALTIME);
    caller_writes(time, sizeof *time, CALLER);
    time->tv_sec = (time_t)(now / SECOND);
    time->tv_usec = (suseconds_t)(now % SECOND / 1000);
    return 0;
}

EXPORT time_t time(time_t *out)
{
    UNLESS_ON(time(out));
    time_t now = (time_t)(clock_look(CLOCK_REALTIME) / SECOND);
    if (out) {
        caller_writes(out, sizeof *out, CALLER);
        *out = now;
    }
    return now;
}

/* clock(3p), times(3p): processor time passes as the clocks do. */
EXPORT clock_t clock(void)
{
    NEXT(clock_t, clock, (void));
    if (!under_control())
        return next();
    return (clock_t)(clock_look(CLOCK_PROCESS_CPUTIME_ID) / (SECOND / CLOCKS_PER_SEC));
}

EXPORT clock_t times(struct tms *out)
{
    NEXT(clock_t, times, (struct tms *));
    if (!under_control())
        return next(out);
    clock_t ticks = (clock_t)(clock_look(CLOCK_MONOTONIC) / (SECOND / 100));
    if (out) {
        caller_writes(out, sizeof *out, CALLER);
        *out = (struct tms){.tms_utime = ticks};
    }
    return ticks;
}

/* getrusage(2): fields that are not maintained are 0. What the kernel counts here is the work
 * of Mazur. */
EXPORT int getrusage(__rusage_who_t who, struct rusage *out)
{
    NEXT(int, getrusage, (__rusage_who_t, struct rusage *));
    bool is_own = who == RUSAGE_SELF || who == RUSAGE_THREAD;
    if (!under_control() || (!is_own && who != RUSAGE_CHILDREN))
        return next(who, out);
    caller_writes(out, sizeof *out, CALLER);
    *out = (struct rusage){0};
    if (!is_own)
        return 0;
    uint64_t used =
        clock_look(who == RUSAGE_SELF ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID);
    out->ru_utime =
        (struct timeval){(time_t)(used / SECOND), (suseconds_t)(used % SECOND / 1000)};
    return 0;
}

/* --- Random sources --- */

/* One stream per thread, by its slot. rand() and similar functions are libc's own, since their
 * numbers follow from the seed (process.def). */

/* The program sees only some of the numbers that it could get, not all. */
static void note_random(const char *name)
{
    raise_reason(REASON_OUTSIDE, name);
}

static void fill_random(void *buffer, size_t size, const char *name)
{
    uint8_t *at = buffer;
    note_random(name);
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)time_random();
}

EXPORT ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    UNLESS_ON(getrandom(buffer, size, flags));
    caller_writes(buffer, size, CALLER);
    fill_random(buffer, size, "getrandom");
    return (ssize_t)size;
}

EXPORT int getentropy(void *buffer, size_t size)
{
    UNLESS_ON(getentropy(buffer, size));
    caller_writes(buffer, size, CALLER);
    fill_random(buffer, size, "getentropy");
    return 0;
}

EXPORT uint32_t arc4random(void)
{
    UNLESS_ON(arc4random());
    note_random("arc4random");
    return (uint32_t)time_random();
}

/* arc4random_uniform(3): "less than upper_bound". */
EXPORT uint32_t arc4random_uniform(uint32_t bound);
uint32_t arc4random_uniform(uint32_t bound)
{
    NEXT(uint32_t, arc4random_uniform, (uint32_t));
    if (!under_control())
        return next(bound);
    note_random("arc4random_uniform");
    return bound < 2 ? 0 : (uint32_t)(time_random() % bound);
}

EXPORT void arc4random_buf(void *buffer, size_t size);
void arc4random_buf(void *buffer, size_t size)
{
    NEXT(void, arc4random_buf, (void *, size_t));
    if (!under_control()) {
        next(buffer, size);
        return;
    }
    caller_writes(buffer, size, CALLER);
    fill_random(buffer, size, "arc4random_buf");
}

/* std::random_device: libstdc++ asks the processor, in code that Mazur does not see. */
#define RANDOM_DEVICE(name)                                                                    \
    EXPORT unsigned name(void *device);                                                        \
    unsigned name(void *device)                                                                \
    {                                                                                          \
        NEXT(unsigned, name, (void *));                                                        \
        if (!under_control())                                                                  \
            return next(device);                                                               \
        caller_reads(device, sizeof(void *), CALLER);                                          \
        note_random("std::random_device");                                                     \
        return (unsigned)time_random();                                                        \
    }

RANDOM_DEVICE(_ZNSt13random_device9_M_getvalEv)
RANDOM_DEVICE(_ZNSt13random_device16_M_getval_pretr1Ev)
