/* Time and chance: virtual clocks, sleeps that yield, and chance that is the same in
 * every execution (DESIGN 2.10).
 *
 * Each thread has a time of its own, counted from the start of the search, inherited from its
 * creator and taken over by whoever joins it. It moves when the thread sleeps, when one of its
 * waits times out, and by a nanosecond with each look at a clock, so that waiting for the clock
 * to move ends. One time for all would make every sleep depend on every look at a clock in
 * other threads, a dependence that the search would have to explore and that nobody means. */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/times.h>

#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/process/timers.h"
#include "runtime/hooks/process/signal_delivery.h"

#define PATIENCE        1000               /* looks at the clock without progress */
#define PASSING         UINT64_C(10000000) /* nanoseconds between two looks after that */
#define SECOND          UINT64_C(1000000000)
#define FIXED_DATE      (UINT64_C(1700000000) * SECOND) /* November 2023 */
#define MONOTONIC_START (UINT64_C(1000) * SECOND)

static uint64_t clock_start(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        rt.saw_realtime = true;
        return rt.board->config.realtime_start;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        return 0;
    default:
        return MONOTONIC_START;
    }
}

/* A program that starts no thread shall behave as ever, so the date is the real one. Where
 * threads are explored two searches must agree, so it is a fixed one: whoever has seen the real
 * date starts over. */
void time_fix_date(void)
{
    struct board_config *config = &rt.board->config;
    if (rt.recording || config->realtime_start == FIXED_DATE)
        return;
    config->realtime_start = FIXED_DATE;
    if (rt.saw_realtime)
        schedule_start_over();
}

static uint64_t nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

/* An absolute time becomes virtual nanoseconds since the start; what has passed is now. */
uint64_t time_deadline(clockid_t clock, const struct timespec *when, uint64_t pc)
{
    if (when != NULL)
        caller_reads(when, sizeof *when, pc);
    if (when == NULL || when->tv_sec > (time_t)1 << 40)
        return NEVER - 1;
    uint64_t start = clock_start(clock);
    if (when->tv_sec < 0 || nanoseconds(when) <= start + rt.self->now)
        return rt.self->now;
    return nanoseconds(when) - start;
}

/* A loop that makes no operation waits for the clock alone: nothing that other threads do can end
 * it, or be told from within it. */
static bool waits_for_clock_alone(struct thread *self)
{
    if (self->looks_from != rt.pos.depth) {
        self->looks_from = rt.pos.depth;
        self->idle_looks = 0;
    }
    if (self->idle_looks < PATIENCE)
        self->idle_looks++;
    return self->idle_looks == PATIENCE;
}

/* A loop that counts its rounds never comes back to the same state, so that nobody lets it nap.
 * Where no other thread can run, time goes on for it all the same. */
static void pass_time(struct thread *self)
{
    if (threadset_count(&rt.pos.enabled) > 1)
        return;
    rt.saw_unproven_loop = true;
    self->now += PASSING;
}

/* Every look finds a later time, so that a loop that waits for the clock alone ends. But time
 * stands still from one round of a spin loop to the next: what it keeps of the time on its
 * stack must not make the rounds differ (spin.c, which lets the thread nap instead). */
static uint64_t look_at_clock(clockid_t clock)
{
    struct thread *self = rt.self;
    if (!self->saw_clock || !self->read_since)
        self->now++;
    self->saw_clock = true;
    self->read_since = false;
    rt.clock_looks++;
    if (waits_for_clock_alone(self))
        self->now += PASSING;
    else if (self->looks < PATIENCE)
        self->looks++;
    else
        pass_time(self);
    return clock_start(clock) + self->now - 1;
}

uint64_t time_ticks(void)
{
    return look_at_clock(CLOCK_MONOTONIC);
}

static void sleep_for(uint64_t duration, uint64_t pc)
{
    struct op op = op_make(OP_SLEEP, OP_YIELDS, NULL, pc);
    schedule_point(&op);
    cancel_if_asked(&op);
    rt.self->now += duration;
    schedule_done(&op);
    timers_slept();
}

static void yield(uint64_t pc)
{
    struct op op = op_make(OP_YIELD, OP_YIELDS, NULL, pc);
    visible(&op);
}

int sched_yield_hook(void);
FIBER_STUB(sched_yield);
int sched_yield_hook(void)
{
    UNLESS_ON(sched_yield());
    yield(CALLER);
    return 0;
}

void thrd_yield_hook(void);
FIBER_STUB(thrd_yield);
void thrd_yield_hook(void)
{
    UNLESS_ON(thrd_yield());
    yield(CALLER);
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
    sleep_for(nanoseconds(duration), CALLER);
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
    uint64_t duration = flags & TIMER_ABSTIME ? time_deadline(clock, time, 0) - rt.self->now
                                              : nanoseconds(time);
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
    sleep_for(nanoseconds(duration), CALLER);
    return 0;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    UNLESS_ON(clock_gettime(clock, time));
    uint64_t now = look_at_clock(clock);
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
    uint64_t now = look_at_clock(CLOCK_REALTIME);
    caller_writes(time, sizeof *time, CALLER);
    time->tv_sec = (time_t)(now / SECOND);
    time->tv_usec = (suseconds_t)(now % SECOND / 1000);
    return 0;
}

EXPORT time_t time(time_t *out)
{
    UNLESS_ON(time(out));
    time_t now = (time_t)(look_at_clock(CLOCK_REALTIME) / SECOND);
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
    if (!rt.on)
        return next();
    return (clock_t)(look_at_clock(CLOCK_PROCESS_CPUTIME_ID) / (SECOND / CLOCKS_PER_SEC));
}

EXPORT clock_t times(struct tms *out)
{
    NEXT(clock_t, times, (struct tms *));
    if (!rt.on)
        return next(out);
    clock_t ticks = (clock_t)(look_at_clock(CLOCK_MONOTONIC) / (SECOND / 100));
    if (out != NULL) {
        caller_writes(out, sizeof *out, CALLER);
        *out = (struct tms){.tms_utime = ticks};
    }
    return ticks;
}

/* --- Chance: one stream per thread, by its slot. rand() and its like are no chance, their
 * numbers follow from the seed: they are libc's own (libc.def). --- */

static uint64_t next_random(void)
{
    spin_progress(rt.self); /* the next number is another one */
    uint64_t z = (rt.self->random += UINT64_C(0x9e3779b97f4a7c15)) +
                 (uint64_t)rt.current * UINT64_C(0xd1342543de82ef95);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t time_random(void)
{
    return next_random();
}

/* They are some of the numbers that the program could see, not all. */
static void draw(const char *name)
{
    raise_reason(REASON_OUTSIDE, name);
}

static void fill_random(void *buffer, size_t size, const char *name)
{
    uint8_t *at = buffer;
    draw(name);
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)next_random();
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
    draw("arc4random");
    return (uint32_t)next_random();
}

/* arc4random_uniform(3): "less than upper_bound". */
EXPORT uint32_t arc4random_uniform(uint32_t bound);
uint32_t arc4random_uniform(uint32_t bound)
{
    NEXT(uint32_t, arc4random_uniform, (uint32_t));
    if (!rt.on)
        return next(bound);
    draw("arc4random_uniform");
    return bound < 2 ? 0 : (uint32_t)(next_random() % bound);
}

EXPORT void arc4random_buf(void *buffer, size_t size);
void arc4random_buf(void *buffer, size_t size)
{
    NEXT(void, arc4random_buf, (void *, size_t));
    if (!rt.on) {
        next(buffer, size);
        return;
    }
    caller_writes(buffer, size, CALLER);
    fill_random(buffer, size, "arc4random_buf");
}

/* std::random_device: libstdc++ asks the processor, in code that is not looked into. */
#define RANDOM_DEVICE(name)                                                                    \
    EXPORT unsigned name(void *device);                                                        \
    unsigned name(void *device)                                                                \
    {                                                                                          \
        NEXT(unsigned, name, (void *));                                                        \
        if (!rt.on)                                                                            \
            return next(device);                                                               \
        caller_reads(device, sizeof(void *), CALLER);                                          \
        draw("std::random_device");                                                            \
        return (unsigned)next_random();                                                        \
    }

RANDOM_DEVICE(_ZNSt13random_device9_M_getvalEv)
RANDOM_DEVICE(_ZNSt13random_device16_M_getval_pretr1Ev)
