/* Signals: write faults of the snapshot, crashes of the program, and the hang report that the
 * parent asks for with SIGURG.
 *
 * Handlers run on a stack of their own, since the fault may be a stack overflow. After a crash
 * the handler rewrites the signal context, so that it returns into crash_landing() on the
 * driver's side, with signals unblocked and the broken stack abandoned. */
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "runtime/arch/raw.h"
#include "runtime/core/executor.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/faults/faults.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"
#include "runtime/traps/traps.h"
#include "runtime/waiting/busy_loop.h"

#define SIGNAL_STACK      (64 * 1024)
#define LANDING_STACK     (64 * 1024)
#define WRITE_FAULT       2 /* page fault error code: the access was a write */
#define TRAP_FLAG         0x100
#define STEPS_OUT_OF_HOOK 20000

static struct {
    int signal;
    int code;
    uint64_t address;
    uint64_t pc;
    uint64_t sp;
    char *stack; /* where crash_landing() runs */
} crash;

static uint32_t steps_left; /* single steps left to leave the hook that a hang check
                             * interrupted */

static const char *signal_text(void)
{
    const struct thread *self = rt.self;
    uint64_t stack = (uint64_t)(uintptr_t)self->fiber.stack;
    if (crash.signal == SIGSEGV && crash.address < stack && crash.address + (64 << 10) >= stack)
        return "stack overflow";
    switch (crash.signal) {
    case SIGSEGV:
        return crash.address < 4096 ? "null pointer access (SIGSEGV)"
                                    : "invalid memory access (SIGSEGV)";
    case SIGBUS:
        return "bus error (SIGBUS)";
    case SIGFPE:
        return crash.code == FPE_INTDIV ? "division by zero (SIGFPE)"
                                        : "arithmetic error (SIGFPE)";
    default:
        return "illegal instruction (SIGILL)";
    }
}

/* Plain and volatile accesses and atomics in assembly are not operations: no other thread runs
 * while a thread loops on them. */
const char *hang_text(uint64_t pc)
{
    if (!module_instrumented(pc))
        return "the thread loops or blocks; if it waits for memory to change, --visible "
               "FUNCTION makes that function's accesses visible";
    return rt.volatile_atomic
               ? "the thread loops; if it waits for an atomic in assembly to change, --visible "
                 "FUNCTION makes that function's accesses visible"
               : "the thread loops; if it waits for a volatile variable to change, use "
                 "--volatile-atomic; for an atomic in assembly, --visible FUNCTION";
}

static void crash_landing(void)
{
    struct failure_details details = {
        .pc = crash.pc, .address = crash.address, .signal = crash.signal};
    if (crash.signal == SIGURG && rt.board->blocked_in[0])
        failure_raise(FAILURE_HANG, &details,
                      "blocked: the thread sleeps in %.31s, which Mazur does not control, and "
                      "nothing has moved for 10 seconds",
                      rt.board->blocked_in);
    if (crash.signal == SIGURG)
        failure_raise(FAILURE_HANG, &details, "no visible operation for a long time: %s",
                      hang_text(crash.pc));
    failure_raise(FAILURE_CRASH, &details, "%s", signal_text());
}

/* For a crash inside a hook, the place in the program is where it called the hook. libmazur.so
 * keeps frame pointers, and a hook that touches the program's memory has already set up its
 * own. */
static uint64_t program_pc(const ucontext_t *context)
{
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    uint64_t frame = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
    uint64_t low = (uint64_t)(uintptr_t)rt.self->fiber.stack;
    uint64_t high = (uint64_t)(uintptr_t)rt.self->fiber.base;
    while (pc >= rt.own.start && pc < rt.own.end && frame >= low && frame + 16 <= high) {
        pc = ((const uint64_t *)frame)[1];
        frame = ((const uint64_t *)frame)[0];
    }
    return pc;
}

static void leave_context(int signal, siginfo_t *info, ucontext_t *context)
{
    rt.on = false;
    crash.signal = signal;
    crash.code = info->si_code;
    crash.address = (uint64_t)(uintptr_t)info->si_addr;
    crash.pc = traps_program_pc(program_pc(context));
    crash.sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)crash_landing;
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)(crash.stack + LANDING_STACK - 8);
}

static void on_fault(int signal, siginfo_t *info, void *raw_context)
{
    ucontext_t *context = raw_context;
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    if (signal == SIGSEGV && rt_fault(address))
        return;
    bool write = signal == SIGSEGV && (context->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT);
    if (write && snapshot_fault(address))
        return;
    if (rt.self && rt.board->state == CHILD_RUNNING && !rt.left) {
        if (rt.os_threads && signal == SIGILL) /* gdb ignores the signal: traps.c uses it */
            executor_note_illegal();
        leave_context(signal, info, context);
        return;
    }
    /* Before main, or inside Mazur itself: die as the program would have. */
    struct sigaction default_action = {.sa_handler = SIG_DFL};
    real.sigaction(signal, &default_action, NULL);
}

/* A system call may not return, so it is not stepped over. */
static bool next_blocks(uint64_t pc)
{
    const unsigned char *code = (const unsigned char *)pc;
    return (code[0] == 0x0f && code[1] == 0x05) || (code[-2] == 0x0f && code[-1] == 0x05);
}

/* A loop on plain memory is nearly always interrupted in the hook of the access, where the
 * caller of a hook without its own frame may be unknown. So the hook is single-stepped to its
 * end: then the report names the program's instruction, and the same one on machines of any
 * speed.
 */
static void on_step(int signal, siginfo_t *info, void *raw_context)
{
    (void)signal;
    ucontext_t *context = raw_context;
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    bool in_hook = pc >= rt.own.start && pc < rt.own.end;
    if (module_instrumented(pc) || --steps_left == 0 || (in_hook && next_blocks(pc))) {
        context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
        leave_context(SIGURG, info, context);
    }
}

static void on_hang_check(int signal, siginfo_t *info, void *raw_context)
{
    if (!rt.board || rt.board->hang_check == 0 || rt.board->state != CHILD_RUNNING)
        return;
    if (rt.forked != 0) { /* the execution runs in another process: pass the signal on */
        raw_syscall2(SYS_kill, rt.forked, SIGURG);
        return;
    }
    bool suspects = rt.board->hang_check == HANG_SUSPECT;
    rt.board->hang_check = 0;
    ucontext_t *context = raw_context;
    if (suspects) {
        busy_loop_suspect(context);
        return;
    }
    busy_loop_give_up(context);
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    bool in_hook = pc >= rt.own.start && pc < rt.own.end;
    if (!in_hook || next_blocks(pc) || rt.os_threads) { /* the debugger uses the traps */
        leave_context(signal, info, context);
        return;
    }
    struct sigaction step = {.sa_sigaction = on_step,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    real.sigaction(SIGTRAP, &step, NULL);
    steps_left = STEPS_OUT_OF_HOOK;
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

void crash_init(void)
{
    crash.stack = rt_map(LANDING_STACK);
    stack_t stack = {.ss_sp = rt_map(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        real.sigaction(faults[i], &action, NULL);
    action.sa_sigaction = on_hang_check;
    real.sigaction(SIGURG, &action, NULL);
    /* A write to a pipe without readers: fd.c sends the signal to the right thread. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    real.sigaction(SIGPIPE, &ignore, NULL);
}
