/* pthread_once, and C11's call_once through once_call() (POSIX pthread_once(3p)). The control's
 * values are glibc's: 0 not called, 1 running, 2 done.
 *
 * "If init_routine is a cancellation point and is canceled, the effect on once_control shall be
 * as if pthread_once() was never called." The same holds if the routine ends by a C++
 * exception, on which std::call_once relies. So the frame that calls the routine has a
 * personality (Itanium C++ ABI: Exception Handling, 1.6.2) that resets the control when the
 * frame is unwound. It catches nothing and needs no landing pad. */
#include "runtime/access/access.h"
#include "runtime/access/objects.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/race/race.h"

enum { ONCE_FRESH = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 };

/* A running routine; lies on the stack of its thread. */
struct once_running {
    int *control;
    uint64_t pc;
    struct once_running *outer;
};

static bool once_ready(struct thread *self)
{
    return *(int *)self->wait.object != ONCE_RUNNING;
}

/* The routine has ended: sets the control to `result`. */
static void end_routine(int result)
{
    struct once_running running = *rt.self->life.once;
    rt.self->life.once = running.outer;
    struct op op =
        op_make(OP_ONCE_END, OP_WRITES | OP_MAY_RELEASE, running.control, running.pc);
    schedule_point(&op);
    object_use(running.control, sizeof *running.control, running.pc);
    *running.control = result;
    race_release(rt.current, ADDRESS(running.control));
    schedule_done(&op);
}

int once_personality(int version, int actions, uint64_t class, void *exception, void *context)
    __attribute__((used));
int once_personality(int version, int actions, uint64_t class, void *exception, void *context)
{
    enum { CLEANUP_PHASE = 2, CONTINUE_UNWIND = 8 };
    (void)version, (void)class, (void)exception, (void)context;
    if ((actions & CLEANUP_PHASE) && under_control() && rt.self->life.once)
        end_routine(ONCE_FRESH);
    return CONTINUE_UNWIND;
}

void once_run(void (*routine)(void));
#if defined(__x86_64__)
__asm__(".text\n\t.hidden once_run\n\t.globl once_run\n\t.type once_run, @function\nonce_run:\n"
        "\t.cfi_startproc\n"
        "\t.cfi_personality 0x1b, once_personality\n" /* pc-relative, 4 bytes */
        "\tpush %rbp\n"
        "\t.cfi_def_cfa_offset 16\n"
        "\t.cfi_offset %rbp, -16\n"
        "\tmov %rsp, %rbp\n"
        "\t.cfi_def_cfa_register %rbp\n"
        "\tcall *%rdi\n"
        "\tpop %rbp\n"
        "\t.cfi_def_cfa %rsp, 8\n"
        "\tret\n"
        "\t.cfi_endproc\n\t.size once_run, .-once_run\n");
#else
#error "a frame with a personality is written for x86-64 only so far"
#endif

int once_call(int *control, void (*routine)(void), uint64_t pc)
{
    access_check(ADDRESS(control), sizeof *control, true, pc);
    struct op op = op_make(OP_ONCE_BEGIN, OP_READS | OP_WRITES | OP_MAY_BLOCK, control, pc);
    rt.self->wait.object = control;
    schedule_point_blocking(&op, once_ready);
    race_acquire(rt.current, ADDRESS(control));
    object_use(control, sizeof *control, pc);
    bool first = *control == ONCE_FRESH;
    if (first)
        *control = ONCE_RUNNING;
    else
        op.flags &= (uint16_t)~OP_WRITES;
    schedule_done(&op);
    if (!first)
        return 0;
    struct once_running running = {control, pc, rt.self->life.once};
    rt.self->life.once = &running;
    once_run(routine);
    end_routine(ONCE_DONE);
    return 0;
}

int pthread_once_hook(pthread_once_t *control, void (*routine)(void));
FIBER_STUB(pthread_once);
int pthread_once_hook(pthread_once_t *control, void (*routine)(void))
{
    UNLESS_ON(pthread_once(control, routine));
    if (is_language_support(CALLER)) { /* the first use inside the unwinder or a locale */
        rt.on = false;
        int error = real.pthread_once(control, routine);
        rt.on = true;
        return error;
    }
    return once_call(control, routine, CALLER);
}
