/* The table of threads.
 *
 * A thread's slot is its canonical name: the number-th child of its parent has the same slot in
 * every execution of a search, and in a replay. The table of names grows during a search. It is
 * on the board, where a RECORD run finds it. */
#include "runtime/core/threads.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/must.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/stacks.h"

#define STACK_DEFAULT (UINT64_C(8) << 20)

/* --- Stacks --- */

/* Some module has code on the stack (trampolines of GNU C's nested functions): then the stacks
 * of all threads are executable, as in glibc. */
static bool executes_stacks;

static int note_executable_stack(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_STACK && (info->dlpi_phdr[i].p_flags & PF_X))
            executes_stacks = true;
    return 0;
}

void threads_reserve_stacks(void)
{
    dl_iterate_phdr(note_executable_stack, NULL);
    rt_reserve_at(STACKS_ADDRESS, STACK_SLOT * THREADS_MAX);
}

/* Gives the thread at least `size` bytes of stack. A stack only grows; its pages are opened
 * once. */
void thread_give_stack(struct thread *thread, uint64_t size)
{
    uint64_t base = STACKS_ADDRESS + STACK_SLOT * ((uint64_t)thread->slot + 1);
    uint64_t low = base - ((size + 4095) & ~UINT64_C(4095));
    if (thread->fiber.stack && (uint64_t)(uintptr_t)thread->fiber.stack <= low)
        return;
    rt_open(low, base - low);
    if (executes_stacks)
        raw_syscall3(SYS_mprotect, (long)low, (long)(base - low),
                     PROT_READ | PROT_WRITE | PROT_EXEC);
    thread->fiber.stack = (char *)low;
    thread->fiber.base = (char *)base;
}

static void reset_life(struct thread *thread)
{
    thread->life.children = 0;
    thread->life.result = NULL;
    thread->life.latest = thread->life.leader = 0;
    thread->life.released = thread->life.worked = false;
    thread->life.detached = false;
    thread->life.joined = false;
    thread->life.ended = false;
    thread->life.name[0] = 0;
    thread->life.set_by_other = thread->life.asked_own_setting = false;
    thread->life.exit_functions = NULL;
    thread->life.once = NULL;
}

static void reset_waits(struct thread *thread)
{
    thread->wait.ready = NULL;
    thread->wait.notified = false;
    thread->wait.condition = NULL;
    thread->wait.futex = NULL;
    thread->wait.may_wake_spuriously = false;
    thread->wait.woke_spuriously = 0;
    thread->wait.woke_state = 0;
    thread->signals.mask = 0;
    thread->signals.pending = 0;
    thread->signals.awaited = 0;
    thread->signals.interrupted = false;
    thread->signals.interruptible = false;
    thread->signals.keeps_mask = false;
    thread->cancel.disabled = thread->cancel.asynchronous = false;
    thread->cancel.asked = 0;
}

static void reset_progress(struct thread *thread)
{
    thread->spin.wrote = false;
    thread->time.now = 0;
    thread->time.deadline = NEVER;
    thread->time.timed_out = false;
    thread->spin.nreads = 0;
    thread->spin.lost_reads = false;
    thread->spin.proven_again = false;
    thread->spin.nwrites = 0;
    thread->spin.depth = 0;
    thread->spin.naps = 0;
    thread->time.saw_clock = thread->time.read_since = false;
    thread->time.looks = thread->time.idle_looks = 0;
    thread->time.looks_from = 0;
    thread->spin.busy_stretches = 0;
    thread->spin.yields = 0;
}

void thread_reset(struct thread *thread, int slot)
{
    must(thread == &rt.thread[slot]);
    thread->slot = slot;
    reset_life(thread);
    reset_waits(thread);
    reset_progress(thread);
    thread->atomic = 0;
    thread->no_preempt = 0;
    thread->nframes = 0;
    thread->foreign_low = UINT64_MAX;
    thread->foreign_high = 0;
    thread->live_low = UINT64_MAX;
    thread->nlocks = 0;
    thread->copy.size = 0;
    thread->random = 1; /* as if by srand(1) */
    thread->last_event = UINT32_MAX;
    thread->program_fiber = NULL;
    thread->ignores_reads = thread->ignores_writes = 0;
    thread_give_stack(thread, STACK_DEFAULT);
    uint64_t base = (uint64_t)(uintptr_t)thread->fiber.base;
    if (thread->stack_low != 0 && thread->stack_low < base)
        __builtin_memset((void *)thread->stack_low, 0, base - thread->stack_low);
    thread->stack_low = base;
}

/* --- Canonical names --- */

int thread_slot_of_child(int parent, uint32_t number)
{
    struct board *board = rt.board;
    if (board->nthreads == 0) {
        board->thread[0].parent = -1;
        board->nthreads = 1;
    }
    for (uint32_t t = 1; t < board->nthreads; t++)
        if (board->thread[t].parent == parent && board->thread[t].number == number)
            return (int)t;
    if (board->nthreads == THREADS_MAX)
        return -1;
    board->thread[board->nthreads].parent = parent;
    board->thread[board->nthreads].number = number;
    return (int)board->nthreads++;
}

int thread_of_handle(pthread_t handle)
{
    for (uint32_t t = 0; t < rt.used; t++)
        if (rt.thread[t].state != THREAD_NONE && rt.thread[t].life.handle == handle)
            return (int)t;
    return -1;
}

/* POSIX 2.9.2: the lifetime of an ID ends with the join, or with a detached thread; "if an
 * application attempts to use a thread ID whose lifetime has ended, the behavior is undefined".
 */
void thread_check_lifetime(int target, const char *call, uint64_t pc)
{
    const struct thread *thread = &rt.thread[target];
    if (thread->life.joined || (thread->life.detached && thread->state == THREAD_FINISHED))
        failure_raise(FAILURE_MISUSE, &(struct failure_details){.pc = pc},
                      "%s of a thread that %s", call,
                      thread->life.joined ? "was joined before" : "was detached and has ended");
}
