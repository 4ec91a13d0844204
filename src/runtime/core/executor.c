/* See executor.h. */
#include "runtime/core/executor.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/must.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"

#define SIGNAL_STACK (64 * 1024)

/* Where a program thread waits for its turn. */
static struct seat {
    uint32_t turn;
    bool leave; /* the main thread: return to the driver, the execution is over */
} seat[THREADS_MAX];

/* The debugger's breakpoints. They are exported by name, and the compiler must not optimise
 * across them: the script reads and writes mazur_debugger_view while the program is stopped
 * there. */
EXPORT struct debugger_view mazur_debugger_view;
EXPORT void mazur_debug_begin(void);
EXPORT void mazur_debug_stop(void);
EXPORT void mazur_debug_illegal(void);
EXPORT void mazur_debug_failure(void);

__attribute__((noinline)) void mazur_debug_begin(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void mazur_debug_stop(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void mazur_debug_illegal(void)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void mazur_debug_failure(void)
{
    __asm__ volatile("" ::: "memory");
}

/* --- Turns --- */

static void give_turn(int slot)
{
    must(!seat[slot].turn);
    rt.board->os_thread = (uint32_t)mazur_debugger_view.os_thread[slot];
    __atomic_store_n(&seat[slot].turn, 1, __ATOMIC_RELEASE);
    raw_syscall3(SYS_futex, (long)&seat[slot].turn, FUTEX_WAKE_PRIVATE, 1);
}

static void wait_for_turn(int slot)
{
    while (!__atomic_load_n(&seat[slot].turn, __ATOMIC_ACQUIRE))
        raw_syscall4(SYS_futex, (long)&seat[slot].turn, FUTEX_WAIT_PRIVATE, 0, 0);
    seat[slot].turn = 0;
}

/* --- The life of an OS thread --- */

/* Names the OS thread "T3", as in every report; the main thread keeps the program's name. */
static void set_name(int slot)
{
    char name[8] = "T";
    int at = 1;
    for (int unit = 100; unit > 0; unit /= 10)
        if (slot >= unit)
            name[at++] = (char)('0' + slot / unit % 10);
    raw_syscall2(SYS_prctl, PR_SET_NAME, (long)name);
}

static void note_os_thread(int slot)
{
    mazur_debugger_view.os_thread[slot] = (int32_t)raw_syscall1(SYS_gettid, 0);
}

void executor_init(void)
{
    uint32_t slots = rt.board->nthreads;
    mazur_debugger_view.version = DEBUGGER_VIEW_VERSION;
    mazur_debugger_view.slots = slots > 1 ? slots : 1;
    rt.board->process = (uint32_t)raw_syscall1(SYS_getpid, 0);
    note_os_thread(0);
    rt.board->os_thread = rt.board->process;
}

bool executor_has(int slot)
{
    return (uint32_t)slot < mazur_debugger_view.slots;
}

/* The donor blocked every signal. The thread must unblock them, or a crash would end the
 * process. It also needs its own alternate stack, which the kernel keeps per OS thread. */
static void take_signals(void)
{
    stack_t stack = {.ss_sp = rt_map(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
    raw_syscall2(SYS_sigaltstack, (long)&stack, 0);
    uint64_t none = 0;
    raw_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, 8);
}

/* --- Stops --- */

static void update_view(void)
{
    struct debugger_view *view = &mazur_debugger_view;
    view->running = (uint32_t)rt.current;
    view->routine = (uint64_t)(uintptr_t)rt.self->life.routine;
    view->enabled = rt.pos.enabled;
    threadset_clear(&view->finished);
    for (uint32_t t = 0; t < rt.used; t++) {
        if (rt.thread[t].state == THREAD_FINISHED)
            threadset_add(&view->finished, (int)t);
        else if (rt.thread[t].state != THREAD_NONE && rt.pending[t].kind != OP_START)
            threadset_add(&view->started, (int)t);
    }
}

void executor_begin(uint64_t main_address)
{
    mazur_debugger_view.main = main_address;
    mazur_debugger_view.on = (uint64_t)(uintptr_t)&rt.on;
    update_view();
    mazur_debug_begin();
}

void executor_note_event(void)
{
    mazur_debugger_view.events++;
    threadset_add(&mazur_debugger_view.started, rt.current);
}

void executor_note_illegal(void)
{
    mazur_debug_illegal();
}

/* The calling thread has been picked and is about to execute its operation. */
static void stop_if_wanted(void)
{
    struct debugger_view *view = &mazur_debugger_view;
    update_view();
    if ((view->stop_on >> view->reason & 1) || view->stop_at == view->events + 1)
        mazur_debug_stop();
}

/* --- The executor --- */

/* Donors beyond the threads of the trace are created only for their memory: then everything
 * that is allocated after them has the same address. */
void executor_donor(int slot, uint32_t *ready)
{
    bool wanted = executor_has(slot);
    if (wanted) {
        note_os_thread(slot);
        set_name(slot);
    }
    __atomic_store_n(ready, 1, __ATOMIC_RELEASE);
    raw_syscall3(SYS_futex, (long)ready, FUTEX_WAKE_PRIVATE, 1);
    while (!wanted)
        raw_syscall1(SYS_exit, 0);
    wait_for_turn(slot);
    take_signals();
    stop_if_wanted();
    fiber_jump(&rt.thread[slot].fiber);
}

int executor_switch(int tid, uint32_t reason)
{
    int self = rt.current;
    bool finished = rt.self->state == THREAD_FINISHED;
    mazur_debugger_view.reason = reason;
    if (tid != self) {
        rt.current = tid;
        rt.self = &rt.thread[tid];
        give_turn(tid);
        while (finished)
            raw_syscall1(SYS_exit, 0);
        wait_for_turn(self);
        if (seat[self].leave)
            fiber_jump(&rt.driver);
    }
    stop_if_wanted();
    return self;
}

static void show_failure(enum outcome outcome)
{
    struct debugger_view *view = &mazur_debugger_view;
    const struct board_failure *failure = failure_current();
    bool failed =
        outcome == OUTCOME_FAILED || outcome == OUTCOME_DEADLOCK || outcome == OUTCOME_LIVELOCK;
    update_view();
    if (outcome == OUTCOME_DIVERGED) {
        view->failure = FAILURE_NONDETERMINISM;
    } else if (failed) {
        view->failure = failure->kind;
        __builtin_memcpy(view->message, failure->message, sizeof view->message);
    }
    if (view->failure != FAILURE_NONE)
        mazur_debug_failure();
}

/* The driver runs on the main OS thread, which also runs the main thread of the program. */
void executor_end(enum outcome outcome)
{
    show_failure(outcome);
    if (rt.current == 0)
        fiber_jump(&rt.driver);
    seat[0].leave = true;
    int self = rt.current;
    give_turn(0);
    for (;;)
        wait_for_turn(self);
}
