/* The end of the process.
 *
 * exit() runs the program's handlers as usual. Mazur registers a handler before all others; it
 * runs last and ends the execution instead of the process. The other threads continue while
 * handlers run: the operation PROCESS_EXIT comes after the handlers. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/arch/execution_state.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/evidence/history.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/lifecycle.h"

/* Which functions exit() calls. */
static struct {
    bool is_operation; /* calling exit() is one */
    bool registered;   /* a handler was added, last by this thread: */
    int thread;
    bool by_several;
} at_exit;
EXECUTION_STATE(at_exit);

void exit_begin(void)
{
    at_exit.is_operation = lessons_have(&rt.board->lessons, LESSON_EXIT);
    at_exit.registered = false;
}

void register_exit(uint64_t pc)
{
    if (rt.used > 1) {
        at_exit.by_several =
            at_exit.registered && (at_exit.by_several || at_exit.thread != rt.current);
        at_exit.registered = true;
        at_exit.thread = rt.current;
        if (rt.exiting && rt.exiting_thread != rt.current && !at_exit.is_operation)
            shared_learn(LESSON_EXIT, 0);
    }
    shared_use(SHARED_EXIT, pc);
}

static bool can_never_run(struct thread *self)
{
    (void)self;
    return false;
}

/* exit(3p): exit() reads the list of registered functions, and (POSIX.1-2024) "if exit() is
 * called by more than one thread, the second and later calls shall block until the process has
 * terminated". Which call is the first, and what was registered before it, matters only if
 * another thread calls exit() or atexit(), too. When the runtime sees that, the search learns
 * that calling exit() is an operation, and starts over. */
static void begin_exit(uint64_t pc)
{
    struct op op = op_make(OP_SHARED, OP_READS | OP_WRITES | OP_YIELDS, NULL, pc);
    op.object[op.nobjects++] = OBJECT_SHARED(SHARED_EXIT);
    bool shared = rt.exiting || at_exit.by_several ||
                  (at_exit.registered && at_exit.thread != rt.current);
    if (shared && !at_exit.is_operation)
        shared_learn(LESSON_EXIT, 0);
    if (at_exit.is_operation && rt.used > 1)
        schedule_visible(&op);
    if (!rt.exiting)
        return;
    op.flags |= OP_MAY_BLOCK;
    schedule_point_blocking(&op, can_never_run);
}

/* The end of the process as an operation: it may come before or after any step of the other
 * threads, and switching away from it is free. */
static void end_process(void)
{
    struct op op =
        op_make(OP_PROCESS_EXIT, OP_YIELDS | OP_GLOBAL | OP_WRITES, NULL, rt.exit_pc);
    schedule_point(&op);
    if (calls_up.is_stuck_for_ever())
        calls_up.raise_deadlock();
    schedule_done(&op);
    rt.on = false;
    rt.board->exit_status = rt.exit_status;
    if (rt.exit_status != 0)
        failure_raise(FAILURE_EXIT,
                      &(struct failure_details){.status = rt.exit_status, .pc = rt.exit_pc},
                      "exit status %d", rt.exit_status);
    if (rt.board->config.leaks)
        failure_leaks();
    history_finished();
    schedule_end(OUTCOME_FINISHED);
}

void exit_last_handler(void *unused)
{
    (void)unused;
    if (!rt.controlled || !rt.self)
        return;
    rt.on = false;
    fflush(NULL);
    rt.on = true;
    end_process();
}

void start_program_end(int status, uint64_t pc)
{
    rt.exit_status = status & 0xff;
    rt.exit_pc = pc;
    end_process();
    __builtin_unreachable();
}

void start_program_exit(int status, uint64_t pc)
{
    if (!rt.exiting || rt.exiting_thread != rt.current) {
        begin_exit(pc);
        rt.exiting = true;
        rt.exiting_thread = rt.current;
        rt.exit_status = status & 0xff;
        rt.exit_pc = pc;
        thread_local_destructors();
    }
    real.exit(status);
    __builtin_unreachable();
}
