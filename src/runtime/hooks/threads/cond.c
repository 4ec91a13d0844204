/* Condition variables (POSIX pthread_cond_wait(3p), pthread_cond_signal(3p)).
 *
 * Waiting is two operations: COND_WAIT releases the mutex and begins to wait, atomically;
 * COND_WAKE takes the mutex again. COND_WAKE is enabled once the thread has been woken (by a
 * signal, a time-out or, if the user asks for it, spuriously) and the mutex is free. Which
 * waiter a signal wakes is a choice of the search: POSIX leaves it open. The signal and the
 * wake-up it causes share the object OBJECT_WAKE(thread), so that one happens before the other.
 *
 * The list of threads tells who waits; the program's object only holds glibc's clock flag and,
 * once it is destroyed, a mark. */
#include <errno.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/hooks/threads/timed_wait.h"
#include "runtime/memory/heap.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/race/race.h"

#define DESTROYED     UINT32_C(0xdecea5ed) /* in __g1_orig_size, otherwise unused */
#define SPURIOUS_MOST 3  /* wake-ups without a signal, per thread and execution */
#define CLOCK_FLAG    2u /* glibc: the condition uses CLOCK_MONOTONIC */

static void check_state(const pthread_cond_t *condition, const char *call, uint64_t pc)
{
    uint32_t mark = condition->__data.__g1_orig_size;
    if (UNLIKELY(mark == DESTROYED || mark == (uint32_t)HEAP_FILL))
        failure_misuse(condition, pc, "%s of a condition variable that %s", call,
                       mark == DESTROYED ? "was destroyed" : "is not initialised");
}

static void check_condition(const pthread_cond_t *condition, const char *call, uint64_t pc)
{
    access_check(ADDRESS(condition), sizeof *condition, true, pc);
    check_state(condition, call, pc);
}

/* The operation was picked. */
static void use_condition(const pthread_cond_t *condition, const char *call, uint64_t pc)
{
    object_use(condition, sizeof *condition, pc);
    check_state(condition, call, pc);
}

static bool is_waiter(int tid, const void *condition)
{
    const struct thread *thread = &rt.thread[tid];
    bool alive = thread->state != THREAD_NONE && thread->state != THREAD_FINISHED;
    return alive && thread->wait.condition == condition && !thread->wait.notified;
}

static bool wake_ready(struct thread *self)
{
    const pthread_mutex_t *mutex = self->wait.object;
    return (self->wait.notified || self->time.timed_out || self->wait.may_wake_spuriously ||
            thread_is_cancelled(self)) &&
           !mutex_is_held(mutex);
}

static int begin_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t pc,
                      uint32_t *count)
{
    check_condition(condition, "wait", pc);
    if (!mutex_is_mine(mutex)) {
        if ((mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        failure_misuse(
            mutex, pc,
            "wait on a condition variable with a mutex that the thread does not hold");
    }
    struct op op = op_make(OP_COND_WAIT, OP_WRITES | OP_MAY_RELEASE, condition, pc);
    op.object[op.nobjects++] = ADDRESS(mutex);
    schedule_point(&op);
    use_condition(condition, "wait", pc);
    *count = mutex_give(mutex, pc);
    rt.self->wait.notified = false;
    rt.self->wait.condition = condition;
    rt.self->wait.object = mutex;
    schedule_done(&op);
    return 0;
}

/* Hash of the registers and the stack of the hook's caller; 0: unknown. */
static uint64_t local_state(const struct thread *self)
{
    uint64_t sp = fiber_entry.sp;
    if (sp < (uint64_t)(uintptr_t)self->fiber.stack || sp >= self->routine_end)
        return 0;
    uint64_t registers = XXH3_64bits(fiber_entry.preserved, sizeof fiber_entry.preserved);
    return XXH3_64bits_withSeed((const void *)sp, self->routine_end - sp, registers) | 1;
}

/* May the wait that begins here end without a signal? Not if an earlier spurious wake-up
 * brought the thread back here in the same local state, with nothing changed: another one would
 * only make it test its condition again, which an execution without the first wake-up does as
 * well. */
static bool may_wake_spuriously(const struct thread *self, uint64_t state)
{
    if (!rt.board->config.spurious_wakeups)
        return false;
    if (self->wait.woke_spuriously > 0 && state != 0 && state == self->wait.woke_state &&
        !self->spin.wrote)
        return false;
    if (self->wait.woke_spuriously < SPURIOUS_MOST)
        return true;
    failure_uncontrolled("fourth spurious wake-up");
    return false;
}

int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline,
                   uint64_t pc)
{
    struct thread *self = rt.self;
    uint64_t state = rt.board->config.spurious_wakeups ? local_state(self) : 0;
    bool unasked = may_wake_spuriously(self, state);
    uint32_t count = 0;
    int error = begin_wait(condition, mutex, pc, &count);
    if (error)
        return error;
    struct op op = op_make(OP_COND_WAKE, OP_READS | OP_WRITES | OP_MAY_BLOCK, mutex, pc);
    op.object[op.nobjects++] = OBJECT_WAKE(self->slot);
    /* This waiter may leave without a signal, so its leaving and a signal are dependent. */
    if (deadline != NEVER || rt.board->config.spurious_wakeups)
        op.object[op.nobjects++] = ADDRESS(condition);
    prepare_wait(&op, mutex, deadline);
    self->wait.may_wake_spuriously = unasked;
    schedule_point_blocking(&op, wake_ready);
    bool cancelled = !self->wait.notified && thread_is_cancelled(self);
    bool spurious = !self->wait.notified && !cancelled && self->wait.may_wake_spuriously;
    self->wait.may_wake_spuriously = false;
    bool timed_out = false;
    if (self->wait.notified || cancelled)
        self->time.deadline = NEVER;
    else
        timed_out = wait_timed_out(deadline);
    self->wait.condition = NULL;
    if (timed_out)
        op.flags |= OP_TIMED_OUT;
    /* Cleanup handlers run with the mutex locked: pthread_cond_wait(3p). The condition variable
     * may no longer exist: "it can be destroyed as soon as all waiters are awakened"
     * (pthread_cond_destroy(3p)). */
    int error_of_mutex = mutex_take(mutex, count, pc);
    if (UNLIKELY(cancelled))
        cancel_if_asked(&op);
    schedule_done(&op);
    if (spurious && !timed_out) {
        self->wait.woke_spuriously++;
        self->wait.woke_state = state;
        self->spin.wrote = false;
    }
    return error_of_mutex ? error_of_mutex : timed_out ? ETIMEDOUT : 0;
}

static void wake_waiter(int tid, struct op *op)
{
    rt.thread[tid].wait.notified = true;
    op_add_object(op, OBJECT_WAKE(tid));
    record_woken(tid);
}

/* pthread_cond_signal(3p): "at least one"; the search chooses which. */
void condition_wake(const void *condition, bool all, struct op *op)
{
    int waiters = 0;
    for (uint32_t t = 0; t < rt.used; t++)
        waiters += is_waiter((int)t, condition);
    int chosen = all ? 0 : schedule_choose(waiters);
    for (uint32_t t = 0; t < rt.used && waiters > 0; t++)
        if (is_waiter((int)t, condition) && (all || chosen-- == 0)) {
            wake_waiter((int)t, op);
            if (!all)
                break;
        }
}

static int wake_waiters(pthread_cond_t *condition, bool all, uint64_t pc)
{
    const char *what = all ? "broadcast" : "signal";
    check_condition(condition, what, pc);
    struct op op = op_make(all ? OP_COND_BROADCAST : OP_COND_SIGNAL, OP_WRITES | OP_MAY_RELEASE,
                           condition, pc);
    schedule_point(&op);
    use_condition(condition, what, pc);
    condition_wake(condition, all, &op);
    schedule_done(&op);
    return 0;
}

int condition_signal(pthread_cond_t *condition, uint64_t pc)
{
    return wake_waiters(condition, false, pc);
}

int condition_broadcast(pthread_cond_t *condition, uint64_t pc)
{
    return wake_waiters(condition, true, pc);
}

int condition_destroy(pthread_cond_t *condition, uint64_t pc)
{
    check_condition(condition, "destroy", pc);
    struct op op = op_make(OP_COND_DESTROY, OP_WRITES, condition, pc);
    schedule_point(&op);
    use_condition(condition, "destroy", pc);
    for (uint32_t t = 0; t < rt.used; t++)
        if (is_waiter((int)t, condition))
            failure_misuse(condition, pc,
                           "destruction of a condition variable that T%u waits on", t);
    condition->__data.__g1_orig_size = DESTROYED;
    schedule_done(&op);
    return 0;
}

int condition_init(pthread_cond_t *condition, const pthread_condattr_t *attributes, uint64_t pc)
{
    access_check(ADDRESS(condition), sizeof *condition, true, pc);
    if (attributes)
        caller_reads(attributes, sizeof *attributes, pc);
    struct op op = op_make(OP_COND_INIT, OP_WRITES, condition, pc);
    schedule_point(&op);
    object_init(condition, sizeof *condition, pc);
    int error = real.pthread_cond_init(condition, attributes);
    schedule_done(&op);
    return error;
}

int pthread_cond_init_hook(pthread_cond_t *condition, const pthread_condattr_t *attributes);
FIBER_STUB(pthread_cond_init);
int pthread_cond_init_hook(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    UNLESS_ON(pthread_cond_init(condition, attributes));
    return condition_init(condition, attributes, CALLER);
}

int pthread_cond_destroy_hook(pthread_cond_t *condition);
FIBER_STUB(pthread_cond_destroy);
int pthread_cond_destroy_hook(pthread_cond_t *condition)
{
    UNLESS_ON(pthread_cond_destroy(condition));
    return condition_destroy(condition, CALLER);
}

int pthread_cond_wait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex);
FIBER_STUB(pthread_cond_wait);
int pthread_cond_wait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    UNLESS_ON(pthread_cond_wait(condition, mutex));
    return condition_wait(condition, mutex, NEVER, CALLER);
}

int pthread_cond_timedwait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                const struct timespec *when);
FIBER_STUB(pthread_cond_timedwait);
int pthread_cond_timedwait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                const struct timespec *when)
{
    UNLESS_ON(pthread_cond_timedwait(condition, mutex, when));
    clockid_t clock = condition->__data.__wrefs & CLOCK_FLAG ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return condition_wait(condition, mutex, time_deadline(clock, when, CALLER), CALLER);
}

int pthread_cond_clockwait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                clockid_t clock, const struct timespec *when);
FIBER_STUB(pthread_cond_clockwait);
int pthread_cond_clockwait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                clockid_t clock, const struct timespec *when)
{
    UNLESS_ON(pthread_cond_clockwait(condition, mutex, clock, when));
    return condition_wait(condition, mutex, time_deadline(clock, when, CALLER), CALLER);
}

int pthread_cond_signal_hook(pthread_cond_t *condition);
FIBER_STUB(pthread_cond_signal);
int pthread_cond_signal_hook(pthread_cond_t *condition)
{
    UNLESS_ON(pthread_cond_signal(condition));
    return condition_signal(condition, CALLER);
}

int pthread_cond_broadcast_hook(pthread_cond_t *condition);
FIBER_STUB(pthread_cond_broadcast);
int pthread_cond_broadcast_hook(pthread_cond_t *condition)
{
    UNLESS_ON(pthread_cond_broadcast(condition));
    return condition_broadcast(condition, CALLER);
}
