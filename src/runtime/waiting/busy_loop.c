/* Busy loops: `while (!done) ;` on a plain variable, which a compiler may even reduce to a jump
 * to itself.
 *
 * The thread would never let another one run. When it has used the processor for some time
 * without an operation, the parent sends SIGURG, and the handler single-steps the thread
 * through its code:
 *
 *     first instruction of the program ── registers and memory are noted
 *            │ step, step, …                        ▲
 *            └── the same instruction with the same registers and memory: an endless loop
 *
 * This is a proof that does not depend on the speed of the machine: left alone, the thread will
 * never do anything else. So it is stopped where it is, and the others run. Their writes are
 * checked for races as usual, and a busy wait on plain memory is a race. The thread continues
 * after a signal handler has run on its stack. If nothing else can run, but other threads have
 * run since, it continues, too: it may have waited for a write that Mazur does not observe (of
 * code without instrumentation). If it loops again, the program hangs, and that is the verdict.
 *
 * There is no proof for loops that make system calls, read the processor's clock or random
 * numbers, or never return to the same state. They keep running until the time of --hang is
 * over.
 *
 * Invariant: all registers of a stopped thread are in a signal frame on its own stack, below
 * its red zone; sigreturn(2) resumes it. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "runtime/waiting/busy_loop.h"

#include <sys/syscall.h>
#include <xxhash.h>

#include "base/must.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/memory/snapshot.h"
#include "runtime/waiting/spin.h"

#define TRAP_FLAG      0x100
#define RESUME_FLAG    0x10000
#define STEPS_MOST     20000
#define RED_ZONE       128
#define KERNEL_CONTEXT 304 /* bytes of ucontext_t that the kernel reads */
#define FXSAVE_BYTES   512
#define XSTATE_MAGIC   0x46505853u

static struct {
    bool active;
    bool anchored;
    uint32_t steps;
    uint64_t heartbeat;
    uint64_t registers; /* hash at the anchor */
    uint64_t memory;
    uint64_t pc;    /* of the anchor */
    uint64_t place; /* for the report: the round's first instruction in the loop's frame, */
    uint64_t frame; /* … which is the outermost frame that it runs in */
    struct sigaction before;
} proof;

/* By thread: the signal frame of a stopped one. */
static struct stopped {
    uint64_t frame; /* 0: it is not stopped */
    uint64_t pc;
    uint32_t steps; /* of the execution until then, without those that tried again */
    bool tries_again;
} stopped[THREADS_MAX];
static uint32_t tries; /* steps of this execution in which a stopped thread tried again */

bool busy_loop_has(const struct thread *thread)
{
    return stopped[thread->slot].frame != 0 && thread->state == THREAD_BLOCKED;
}

/* --- Stopping and resuming --- */

static bool may_go_on(struct thread *thread)
{
    return thread->signals.handled_in_spin || stopped[thread->slot].tries_again;
}

bool busy_loop_try_again(void)
{
    for (uint32_t t = 0; t < rt.used; t++) {
        if (!busy_loop_has(&rt.thread[t]) || stopped[t].steps == rt.pos.depth - tries)
            continue;
        stopped[t].tries_again = true;
        return true;
    }
    return false;
}

__attribute__((noreturn)) static void resume(uint64_t frame)
{
    __asm__ volatile("mov %0, %%rsp\n\tmov %1, %%eax\n\tsyscall"
                     :
                     : "r"(frame), "i"(SYS_rt_sigreturn)
                     : "memory");
    __builtin_unreachable();
}

/* On the thread's own stack, below its signal frame. */
static void stop_here(void)
{
    struct thread *self = rt.self;
    struct stopped *here = &stopped[self->slot];
    must(here->frame);
    struct op op =
        op_make(OP_YIELD, OP_READS | OP_MAY_BLOCK | OP_SPINS | OP_GLOBAL, NULL, here->pc);
    self->signals.handled_in_spin = false;
    rt.stops_loops = true;
    here->steps = rt.pos.depth - tries;
    schedule_point_blocking(&op, may_go_on);
    uint64_t frame = here->frame;
    tries += here->tries_again;
    here->tries_again = false;
    here->frame = 0;
    rt.saw_unproven_loop = true; /* something else could have ended the loop */
    schedule_done(&op);
    resume(frame);
}

static uint32_t floating_bytes(const void *state)
{
    const uint32_t *words = (const uint32_t *)((const char *)state + 464);
    return words[0] == XSTATE_MAGIC ? words[1] : FXSAVE_BYTES;
}

/* The handler returns into stop_here(). */
static void leave_for_stop(ucontext_t *context)
{
    struct stopped *here = &stopped[rt.current];
    greg_t *registers = context->uc_mcontext.gregs;
    void *floating = context->uc_mcontext.fpregs;
    uint64_t sp = (uint64_t)registers[REG_RSP] - RED_ZONE;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    sp = (sp - (floating ? floating_bytes(floating) : 0)) & ~UINT64_C(63);
    void *kept_floating = (void *)sp;
    sp -= (KERNEL_CONTEXT + 63) & ~63;
    ucontext_t *kept = (ucontext_t *)sp;
    rawmem_copy(kept, context, KERNEL_CONTEXT);
    if (floating) {
        rawmem_copy(kept_floating, floating, floating_bytes(floating));
        kept->uc_mcontext.fpregs = kept_floating;
    }
    here->frame = sp;
    here->pc = proof.place;
    rt.on = false;
    registers[REG_RSP] = (greg_t)(sp - 256 - 8);
    registers[REG_RIP] = (greg_t)(uintptr_t)stop_here;
}

/* --- The proof --- */

static uint64_t hash_registers(const ucontext_t *context)
{
    greg_t general[NGREG];
    for (int i = 0; i < NGREG; i++)
        general[i] = i <= REG_RIP ? context->uc_mcontext.gregs[i] : 0;
    general[REG_EFL] = context->uc_mcontext.gregs[REG_EFL] & ~(greg_t)(TRAP_FLAG | RESUME_FLAG);
    uint64_t hash = XXH3_64bits(general, sizeof general);
    const struct _libc_fpstate *floating = context->uc_mcontext.fpregs;
    return floating ? XXH3_64bits_withSeed(floating->_xmm, sizeof floating->_xmm, hash) : hash;
}

/* syscall, rdtsc, rdtscp, rdrand, rdseed: their results do not follow from registers and
 * memory. */
static bool asks_outside(uint64_t pc)
{
    const unsigned char *code = (const unsigned char *)pc;
    while ((*code & 0xf0) == 0x40 || *code == 0x66 || *code == 0xf2 || *code == 0xf3)
        code++;
    if (code[0] != 0x0f)
        return false;
    bool random = code[1] == 0xc7 && (code[2] >> 6) == 3;
    return code[1] == 0x05 || code[1] == 0x31 || (code[1] == 0x01 && code[2] == 0xf9) || random;
}

static void end_proof(ucontext_t *context)
{
    proof.active = false;
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    real.sigaction(SIGTRAP, &proof.before, NULL);
}

static void set_anchor(const ucontext_t *context, uint64_t pc)
{
    snapshot_watch();
    proof.anchored = true;
    proof.pc = proof.place = pc;
    proof.frame = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    proof.registers = hash_registers(context);
    proof.memory = spin_memory_hash((uint64_t)context->uc_mcontext.gregs[REG_RSP] - RED_ZONE);
}

static bool has_gone_round(const ucontext_t *context, uint64_t pc)
{
    return pc == proof.pc && hash_registers(context) == proof.registers;
}

static void note_place(uint64_t pc, uint64_t sp)
{
    if (sp < proof.frame || (sp == proof.frame && pc >= proof.place))
        return;
    proof.frame = sp;
    proof.place = pc;
}

static void on_proof_step(int signal, siginfo_t *info, void *raw_context)
{
    ucontext_t *context = raw_context;
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    bool own = pc >= rt.own.start && pc < rt.own.end;
    if (info->si_code != TRAP_TRACE) { /* an interrupted instruction (traps.c): no proof */
        end_proof(context);
        if (proof.before.sa_flags & SA_SIGINFO)
            proof.before.sa_sigaction(signal, info, raw_context);
        return;
    }
    if (++proof.steps > STEPS_MOST || rt.board->heartbeat != proof.heartbeat ||
        rt.board->state != CHILD_RUNNING || asks_outside(pc)) {
        end_proof(context);
        return;
    }
    if (own || !rt.on)
        return;
    if (!proof.anchored) {
        set_anchor(context, pc);
        return;
    }
    note_place(pc, (uint64_t)context->uc_mcontext.gregs[REG_RSP]);
    if (!has_gone_round(context, pc))
        return;
    end_proof(context);
    if (spin_memory_hash((uint64_t)context->uc_mcontext.gregs[REG_RSP] - RED_ZONE) ==
        proof.memory)
        leave_for_stop(context);
}

void busy_loop_give_up(ucontext_t *context)
{
    if (proof.active)
        end_proof(context);
}

/* The signal that asks for a report arrives between two steps, not in the middle of one. */
void busy_loop_suspect(ucontext_t *context)
{
    if (proof.active || rt.os_threads || rt.on_trial || calls_up.mappings_changed())
        return;
    proof.active = true;
    proof.anchored = false;
    proof.steps = 0;
    proof.heartbeat = rt.board->heartbeat;
    struct sigaction step = {.sa_sigaction = on_proof_step,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaddset(&step.sa_mask, SIGURG);
    real.sigaction(SIGTRAP, &step, &proof.before);
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

void busy_loop_begin(void)
{
    rt.stops_loops = false;
    tries = 0;
    for (uint32_t t = 0; t < rt.used; t++)
        stopped[t] = (struct stopped){0};
}

uint64_t busy_loop_pc(const struct thread *thread)
{
    return stopped[thread->slot].pc;
}
