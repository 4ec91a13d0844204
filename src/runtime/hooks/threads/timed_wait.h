/* Waits for an object, with or without a time limit: shared by the hooks of mutexes, read-write
 * locks and semaphores. Condition variables, which wait for two objects, use the first half. */
#ifndef MAZUR_RUNTIME_TIMED_WAIT_H
#define MAZUR_RUNTIME_TIMED_WAIT_H

#include <errno.h>

#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/threads/deadline.h"

/* The thread is about to wait for `object`; `deadline` NEVER: without a limit. */
static inline void prepare_wait(struct op *op, void *object, uint64_t deadline)
{
    if (deadline != NEVER)
        op->flags |= OP_TIMED;
    rt.self->wait.object = object;
    rt.self->time.deadline = deadline;
}

/* The operation was picked: did it time out? */
static inline bool wait_timed_out(uint64_t deadline)
{
    return UNLIKELY(deadline != NEVER) && schedule_timed_out();
}

static inline int end_timed_out(struct op *op)
{
    op->flags |= OP_TIMED_OUT | OP_FAILED;
    schedule_done(op);
    return ETIMEDOUT;
}

/* The two hooks of a wait with a limit: `timed` uses CLOCK_REALTIME, `clocked` a clock that the
 * caller names. `wait` is called with the object, the deadline and the place of the call. */
#define TIMED_HOOKS(timed, clocked, type, wait)                                                \
    int timed##_hook(type *object, const struct timespec *when);                               \
    FIBER_STUB(timed);                                                                         \
    int timed##_hook(type *object, const struct timespec *when)                                \
    {                                                                                          \
        UNLESS_ON(timed(object, when));                                                        \
        return wait(object, time_deadline(CLOCK_REALTIME, when, CALLER), CALLER);              \
    }                                                                                          \
    int clocked##_hook(type *object, clockid_t clock, const struct timespec *when);            \
    FIBER_STUB(clocked);                                                                       \
    int clocked##_hook(type *object, clockid_t clock, const struct timespec *when)             \
    {                                                                                          \
        UNLESS_ON(clocked(object, clock, when));                                               \
        return wait(object, time_deadline(clock, when, CALLER), CALLER);                       \
    }

#endif
