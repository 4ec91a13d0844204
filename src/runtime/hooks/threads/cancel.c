/* Cancellation, deferred only (POSIX pthread_cancel(3p), 2.9.5 Thread Cancellation).
 *
 * pthread_cancel marks the thread. A marked thread that waits in a cancellation point can be
 * picked, and ends there as if it had called pthread_exit(PTHREAD_CANCELED): cleanup handlers,
 * destructors of thread-specific data, join. Asynchronous cancellation could take effect
 * between any two instructions, which no search covers: a thread may enable it, but cancelling
 * such a thread is refused.
 *
 * Cancellation points are the waits that Mazur models, sleeps, and pthread_testcancel. */
#include <errno.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/threads.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/waiting/spin.h"

static void end_thread(void)
{
    struct thread *self = rt.self;
    self->cancel.disabled = true; /* cleanup handlers may call cancellation points */
    self->life.result = PTHREAD_CANCELED;
    self->life.exit_by_call = true;
    real.pthread_exit(PTHREAD_CANCELED);
}

void cancel_if_asked(struct op *op)
{
    if (LIKELY(!thread_is_cancelled(rt.self)))
        return;
    rt.self->time.deadline = NEVER;
    op->flags |= OP_FAILED;
    schedule_done(op);
    end_thread();
}

static void refuse_asynchronous(const struct thread *thread, uint64_t pc)
{
    if (thread->cancel.asynchronous && thread_is_cancelled(thread) &&
        thread->state != THREAD_FINISHED)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                      "asynchronous cancellation is not supported: T%d is cancelled while it "
                      "has asked for that (pthread_setcanceltype)",
                      thread->slot);
}

/* Changing the thread's own settings is an operation as soon as other threads exist: one of
 * them may cancel the thread before or after the change. */
static void change_setting(bool *setting, bool value, uint64_t pc)
{
    struct op op = op_make(OP_SIGNAL, OP_WRITES, NULL, pc);
    op.object[op.nobjects++] = OBJECT_THREAD(rt.current);
    if (rt.used > 1)
        schedule_point(&op);
    *setting = value;
    refuse_asynchronous(rt.self, pc);
    if (rt.used > 1)
        schedule_done(&op);
}

EXPORT int pthread_cancel(pthread_t handle)
{
    UNLESS_ON(pthread_cancel(handle));
    int target = thread_of_handle(handle);
    if (target < 0)
        return ESRCH;
    struct op op =
        op_make(OP_SIGNAL, OP_READS | OP_WRITES | OP_GLOBAL | OP_MAY_RELEASE, NULL, CALLER);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(target);
    schedule_leave_reductions();
    schedule_point(&op);
    thread_check_lifetime(target, "pthread_cancel", CALLER);
    if (UNLIKELY(rt.recording))
        record_facts.other = target;
    rt.thread[target].cancel.asked = 1;
    refuse_asynchronous(&rt.thread[target], CALLER);
    schedule_done(&op);
    return 0;
}

void pthread_testcancel_hook(void);
FIBER_STUB(pthread_testcancel);
void pthread_testcancel_hook(void)
{
    if (!under_control()) {
        real_prepare();
        real.pthread_testcancel();
        return;
    }
    struct thread *self = rt.self;
    uint64_t address = (uint64_t)(uintptr_t)&self->cancel.asked;
    struct op op = op_make(OP_SIGNAL, OP_READS, NULL, CALLER);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(self->slot);
    spin_point(&op, 0, CALLER);
    cancel_if_asked(&op);
    spin_note_read(CALLER, address, OBJECT_THREAD(self->slot), self->cancel.asked, 4);
    schedule_done(&op);
}

EXPORT int pthread_setcancelstate(int state, int *old)
{
    UNLESS_ON(pthread_setcancelstate(state, old));
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old) {
        caller_writes(old, sizeof *old, CALLER);
        *old = rt.self->cancel.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    bool disabled = state == PTHREAD_CANCEL_DISABLE;
    if (rt.self->cancel.asynchronous && disabled != rt.self->cancel.disabled)
        change_setting(&rt.self->cancel.disabled, disabled, CALLER);
    rt.self->cancel.disabled = disabled;
    return 0;
}

EXPORT int pthread_setcanceltype(int type, int *old)
{
    UNLESS_ON(pthread_setcanceltype(type, old));
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    bool before = rt.self->cancel.asynchronous;
    if (old) {
        caller_writes(old, sizeof *old, CALLER);
        *old = before ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    }
    bool wanted = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (wanted != before)
        change_setting(&rt.self->cancel.asynchronous, wanted, CALLER);
    return 0;
}
