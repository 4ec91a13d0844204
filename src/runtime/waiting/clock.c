/* Virtual time and random numbers, the same in every execution.
 *
 * Each thread has its own time, counted from the start of the search. A thread inherits it from
 * its creator and passes it on to the thread that joins it. It advances when the thread sleeps,
 * when one of its waits times out, and by a nanosecond whenever the thread reads a clock, so
 * that a loop that waits for the clock to advance ends. With one time for all threads, every
 * sleep would depend on every read of a clock in other threads; the search would have to
 * explore these dependences, although no program means them. */
#include "runtime/waiting/clock.h"

#include "base/hash.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"

#define PATIENCE        1000               /* reads of the clock without progress */
#define PASSING         UINT64_C(10000000) /* nanoseconds between two reads after that */
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

/* A program that starts no thread should behave as usual, so it sees the real date. With
 * threads, two searches must agree, so the date is fixed; a search whose program has already
 * read the real date starts over. */
void time_fix_date(void)
{
    struct board_config *config = &rt.board->config;
    if (rt.recording || config->realtime_start == FIXED_DATE)
        return;
    config->realtime_start = FIXED_DATE;
    if (rt.saw_realtime)
        schedule_start_over();
}

uint64_t clock_nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

/* Converts an absolute time to virtual nanoseconds since the start; a time in the past becomes
 * now. */
uint64_t clock_deadline(clockid_t clock, const struct timespec *when)
{
    if (!when || when->tv_sec > (time_t)1 << 40)
        return NEVER - 1;
    uint64_t start = clock_start(clock);
    if (when->tv_sec < 0 || clock_nanoseconds(when) <= start + rt.self->time.now)
        return rt.self->time.now;
    return clock_nanoseconds(when) - start;
}

/* A loop without an operation waits only for the clock: nothing that other threads do can end
 * it, and it can't observe them. */
static bool waits_for_clock_alone(struct thread *self)
{
    if (self->time.looks_from != rt.pos.depth) {
        self->time.looks_from = rt.pos.depth;
        self->time.idle_looks = 0;
    }
    if (self->time.idle_looks < PATIENCE)
        self->time.idle_looks++;
    return self->time.idle_looks == PATIENCE;
}

/* A loop that counts its rounds never returns to the same state, so spin.c never lets it nap.
 * If no other thread can run, time advances for it all the same. */
static void pass_time(struct thread *self)
{
    if (threadset_count(&rt.pos.enabled) > 1)
        return;
    rt.saw_unproven_loop = true;
    self->time.now += PASSING;
}

/* Every read returns a later time, so that a loop that waits only for the clock ends. But time
 * stands still between the rounds of a spin loop: a time that the loop keeps on its stack must
 * not make the rounds differ (spin.c lets the thread nap instead). */
uint64_t clock_look(clockid_t clock)
{
    struct thread *self = rt.self;
    if (!self->time.saw_clock || !self->time.read_since)
        self->time.now++;
    self->time.saw_clock = true;
    self->time.read_since = false;
    rt.clock_looks++;
    if (waits_for_clock_alone(self))
        self->time.now += PASSING;
    else if (self->time.looks < PATIENCE)
        self->time.looks++;
    else
        pass_time(self);
    return clock_start(clock) + self->time.now - 1;
}

uint64_t time_ticks(void)
{
    return clock_look(CLOCK_MONOTONIC);
}

/* One stream of random numbers per thread, by its slot. */
uint64_t time_random(void)
{
    spin_progress(rt.self); /* the next number differs */
    rt.self->random += UINT64_C(0x9e3779b97f4a7c15);
    return hash_mix(rt.self->random + (uint64_t)rt.current * UINT64_C(0xd1342543de82ef95));
}
