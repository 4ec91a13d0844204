/* Timers of the program: alarm, setitimer(ITIMER_REAL), timer_create with a signal, in virtual
 * time (POSIX 2.8.5).
 *
 * A timer fires when nothing else can run and its time is the next to come, or when a thread
 * has slept past its time: like a time-out that happens only while the program is idle. It does
 * not cut a sleep short; the handler runs when the sleep is over.
 *
 * A timer whose signal would kill the process is a watchdog, and never fires: in virtual time
 * nothing takes long, and if nothing can run at all, a deadlock report says more.
 *
 * Timers that start threads (SIGEV_THREAD), or count processor time, are refused by name. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/process/timers.h"
#include "runtime/hooks/threads/deadline.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/race/race.h"

#define TIMERS_MAX LIMIT_TIMERS
#define ALARM      0 /* alarm and setitimer share one */
#define SECOND     UINT64_C(1000000000)

static struct {
    uint32_t count;
    struct timer {
        bool used;
        int signal; /* 0: SIGEV_NONE */
        union sigval value;
        clockid_t clock;
        uint64_t deadline; /* virtual nanoseconds, NEVER: not armed */
        uint64_t interval;
    } timer[TIMERS_MAX];
} timers;

void timers_begin(void)
{
    timers.count = 1;
    timers.timer[ALARM] = (struct timer){.used = true, .signal = SIGALRM, .deadline = NEVER};
}

/* The armed timer that fires first, or NULL. */
static struct timer *next_timer(void)
{
    struct timer *next = NULL;
    for (uint32_t i = 0; i < timers.count; i++) {
        struct timer *timer = &timers.timer[i];
        bool counts = timer->used && timer->deadline != NEVER && timer->signal != 0 &&
                      !signals_would_kill(timer->signal);
        if (counts && (!next || timer->deadline < next->deadline))
            next = timer;
    }
    return next;
}

uint64_t timers_next(void)
{
    const struct timer *timer = next_timer();
    return timer ? timer->deadline : NEVER;
}

void timers_fire(void)
{
    struct timer *timer = next_timer();
    uint64_t when = timer->deadline;
    timer->deadline = timer->interval ? when + timer->interval : NEVER;
    signals_from_timer(timer->signal, timer->value, when);
}

void timers_slept(void)
{
    while (timers_next() <= rt.self->time.now)
        timers_fire();
}

/* --- Setting them --- */

static uint64_t nanoseconds_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

static struct timespec time_of(uint64_t count)
{
    return (struct timespec){(time_t)(count / SECOND), (long)(count % SECOND)};
}

static void arm_timer(struct timer *timer, uint64_t deadline, uint64_t interval)
{
    timer->deadline = deadline;
    timer->interval = interval;
    if (deadline == NEVER)
        return;
    schedule_leave_reductions(); /* a signal changes what another thread does next */
    race_release(rt.current, OBJECT_TIMERS);
    rt.saw_timed = true;
}

static uint64_t time_left(const struct timer *timer)
{
    if (timer->deadline == NEVER)
        return 0;
    return timer->deadline > rt.self->time.now ? timer->deadline - rt.self->time.now : 1;
}

EXPORT unsigned alarm(unsigned seconds)
{
    UNLESS_ON(alarm(seconds));
    shared_change_state(SHARED_TIMERS, CALLER);
    struct timer *timer = &timers.timer[ALARM];
    unsigned left = (unsigned)((time_left(timer) + SECOND - 1) / SECOND);
    arm_timer(timer, seconds ? rt.self->time.now + seconds * SECOND : NEVER, 0);
    return left;
}

static uint64_t nanoseconds_of_timeval(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_usec * 1000;
}

static struct timeval microtime_of(uint64_t count)
{
    return (struct timeval){(time_t)(count / SECOND), (suseconds_t)(count % SECOND / 1000)};
}

/* "equivalent to setitimer(ITIMER_REAL)", of microseconds: ualarm(3) */
EXPORT useconds_t ualarm(useconds_t value, useconds_t interval)
{
    struct itimerval old,
        new = {microtime_of((uint64_t)interval * 1000), microtime_of((uint64_t)value * 1000)};
    if (setitimer(ITIMER_REAL, &new, &old) != 0)
        return (useconds_t)-1;
    return (useconds_t)(nanoseconds_of_timeval(&old.it_value) / 1000);
}

static struct itimerval interval_timer(__itimer_which_t which)
{
    const struct timer *timer = &timers.timer[ALARM];
    if (which != ITIMER_REAL)
        return (struct itimerval){0};
    return (struct itimerval){.it_interval = microtime_of(timer->interval),
                              .it_value = microtime_of(time_left(timer))};
}

EXPORT int getitimer(__itimer_which_t which, struct itimerval *value)
{
    UNLESS_ON(getitimer(which, value));
    caller_writes(value, sizeof *value, CALLER);
    shared_look_state(SHARED_TIMERS, CALLER);
    *value = interval_timer(which);
    return 0;
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
                     struct itimerval *restrict old)
{
    UNLESS_ON(setitimer(which, new, old));
    if (new)
        caller_reads(new, sizeof *new, CALLER);
    if (old)
        caller_writes(old, sizeof *old, CALLER);
    shared_change_state(SHARED_TIMERS, CALLER);
    uint64_t value = new ? nanoseconds_of_timeval(&new->it_value) : 0;
    if (value && which != ITIMER_REAL)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = CALLER},
                      "setitimer of processor time is not supported");
    struct itimerval before = interval_timer(which);
    if (which == ITIMER_REAL)
        arm_timer(&timers.timer[ALARM], value ? rt.self->time.now + value : NEVER,
                  new ? nanoseconds_of_timeval(&new->it_interval) : 0);
    if (old)
        *old = before;
    return 0;
}

/* --- timer_create and its relatives; a handle is the index --- */

static struct timer *timer_of(timer_t handle)
{
    uint64_t index = (uint64_t)(uintptr_t)handle;
    bool known = index > ALARM && index < timers.count && timers.timer[index].used;
    return known ? &timers.timer[index] : NULL;
}

static void refuse_timer(const char *what, uint64_t pc)
{
    failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                  "timer_create is not supported: %s", what);
}

EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event,
                        timer_t *restrict handle)
{
    UNLESS_ON(timer_create(clock, event, handle));
    if (event)
        caller_reads(event, sizeof *event, CALLER);
    caller_writes(handle, sizeof *handle, CALLER);
    shared_change_state(SHARED_TIMERS, CALLER);
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
        refuse_timer("timers of processor time are not modelled", CALLER);
    if (event && event->sigev_notify != SIGEV_SIGNAL && event->sigev_notify != SIGEV_NONE)
        refuse_timer("only timers that send a signal to the process are modelled", CALLER);
    if (timers.count == TIMERS_MAX) {
        limit_reached(LIMIT_AT_TIMERS);
        return (int)signals_fail(EAGAIN);
    }
    uint32_t index = timers.count++;
    bool silent = event && event->sigev_notify == SIGEV_NONE;
    timers.timer[index] = (struct timer){.used = true,
                                         .signal = silent  ? 0
                                                   : event ? event->sigev_signo
                                                           : SIGALRM,
                                         .value.sival_int = (int)index,
                                         .clock = clock,
                                         .deadline = NEVER};
    if (event)
        timers.timer[index].value = event->sigev_value;
    *handle = (timer_t)(uintptr_t)index;
    return 0;
}

static struct itimerspec state_of(const struct timer *timer)
{
    return (struct itimerspec){.it_interval = time_of(timer->interval),
                               .it_value = time_of(time_left(timer))};
}

EXPORT int timer_gettime(timer_t handle, struct itimerspec *value)
{
    UNLESS_ON(timer_gettime(handle, value));
    caller_writes(value, sizeof *value, CALLER);
    shared_look_state(SHARED_TIMERS, CALLER);
    const struct timer *timer = timer_of(handle);
    if (!timer)
        return (int)signals_fail(EINVAL);
    *value = state_of(timer);
    return 0;
}

EXPORT int timer_settime(timer_t handle, int flags, const struct itimerspec *restrict new,
                         struct itimerspec *restrict old)
{
    UNLESS_ON(timer_settime(handle, flags, new, old));
    caller_reads(new, sizeof *new, CALLER);
    if (old)
        caller_writes(old, sizeof *old, CALLER);
    shared_change_state(SHARED_TIMERS, CALLER);
    struct timer *timer = timer_of(handle);
    if (!timer)
        return (int)signals_fail(EINVAL);
    struct itimerspec before = state_of(timer);
    uint64_t value = nanoseconds_of(&new->it_value);
    uint64_t deadline = value == 0              ? NEVER
                        : flags & TIMER_ABSTIME ? time_deadline(timer->clock, &new->it_value, 0)
                                                : rt.self->time.now + value;
    arm_timer(timer, deadline, nanoseconds_of(&new->it_interval));
    if (old)
        *old = before;
    return 0;
}

EXPORT int timer_getoverrun(timer_t handle)
{
    UNLESS_ON(timer_getoverrun(handle));
    shared_look_state(SHARED_TIMERS, CALLER);
    return timer_of(handle) ? 0 : (int)signals_fail(EINVAL);
}

EXPORT int timer_delete(timer_t handle)
{
    UNLESS_ON(timer_delete(handle));
    shared_change_state(SHARED_TIMERS, CALLER);
    struct timer *timer = timer_of(handle);
    if (!timer)
        return (int)signals_fail(EINVAL);
    timer->used = false;
    return 0;
}
