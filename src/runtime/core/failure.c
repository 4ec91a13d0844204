/* Failures: what went wrong, written to the board in terms of threads, stacks and objects. The
 * parent adds symbols, source lines and text.
 *
 * The entry failure[nfailures] is filled in while the program's state still exists;
 * failure_keep() completes it after the search has counted the execution. Formatting uses libc.
 * This is allowed here only because the execution is over: libc's memory is restored before any
 * program code runs again. */
#include "runtime/core/failure.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "base/must.h"
#include "runtime/arch/raw.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/heap.h"

static bool pending_failure; /* failure[nfailures] is filled in for the running execution */

struct board_failure *failure_current(void)
{
    uint32_t n = rt.board->nfailures;
    return &rt.board->failure[n < BOARD_FAILURES ? n : BOARD_FAILURES];
}

bool failure_is_pending(void)
{
    return pending_failure;
}

void failure_forget(void)
{
    pending_failure = false;
}

/* A constructor of a library can fail before calls_up is filled in. */
static void find_home(uint64_t address, struct board_home *home)
{
    if (calls_up.home_find)
        calls_up.home_find(address, home);
}

/* --- Stacks --- */

void stack_capture(struct thread *thread, uint64_t pc, struct board_stack *out)
{
    out->depth = 0;
    if (pc)
        out->pc[out->depth++] = pc;
    if (UNLIKELY(rt.recording)) {
        if (calls_up.record_pending_stack(thread->slot, pc, out))
            return; /* all of it */
        if (thread == rt.self)
            calls_up.home_walk(pc, out);
    }
    uint32_t n = thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX;
    while (n-- > 0 && out->depth < BOARD_STACK)
        out->pc[out->depth++] = thread->frame[n].pc;
}

/* RECORD mode: heap.c and race.c call this at every allocation and access. */
uint32_t failure_stack_here(struct board_stack *out)
{
    out->depth = 0;
    if (!rt.self)
        return UINT32_MAX;
    stack_capture(rt.self, rt.heap_pc, out);
    return rt.self->last_event;
}

void failure_access_context(struct board_access *access)
{
    struct thread *thread = &rt.thread[access->tid];
    uint64_t pc = access->stack.depth > 0 ? access->stack.pc[0] : 0;
    access->event = thread->last_event;
    find_home(access->address, &access->home);
    access->nlocks = 0;
    for (uint32_t i = 0; i < thread->nlocks && i < LOCKS_MAX && i < BOARD_LOCKS_HELD; i++)
        access->lock[access->nlocks++] = thread->lock[i].address;
    stack_capture(thread, pc, &access->stack);
}

/* --- Filling in the entry --- */

static void fill_in(enum failure_kind kind, const struct failure_details *details,
                    const char *format, va_list arguments)
{
    if (UNLIKELY(rt.on_trial)) /* the search will get there, with a schedule */
        calls_up.spin_trial_fail();
    if (calls_up.look_ahead_at_failure)
        calls_up.look_ahead_at_failure();
    struct board_failure *failure = failure_current();
    __builtin_memset(failure, 0, sizeof *failure);
    failure->kind = kind;
    failure->tid = rt.self ? rt.current : -1;
    failure->signal = details->signal;
    failure->status = details->status;
    failure->line = details->line;
    failure->address = details->address;
    find_home(details->address, &failure->home);
    failure->step = rt.pos.depth;
    failure->stops_loops = rt.stops_loops;
    failure->preemptions = rt.search ? search_preemptions(rt.search) : 0;
    vsnprintf(failure->message, sizeof failure->message, format, arguments);
    if (rt.self)
        stack_capture(rt.self, details->pc, &failure->stack);
    pending_failure = true;
}

void failure_note(enum failure_kind kind, const struct failure_details *details,
                  const char *format, ...)
{
    rt.on = false;
    va_list arguments;
    va_start(arguments, format);
    fill_in(kind, details, format, arguments);
    va_end(arguments);
    if (!rt.search) /* nothing will run: the entry is complete */
        rt.board->nfailures++;
}

void failure_raise(enum failure_kind kind, const struct failure_details *details,
                   const char *format, ...)
{
    rt.on = false;
    va_list arguments;
    va_start(arguments, format);
    fill_in(kind, details, format, arguments);
    va_end(arguments);
    schedule_end(OUTCOME_FAILED);
}

void failure_misuse(const volatile void *object, uint64_t pc, const char *format, ...)
{
    rt.on = false;
    va_list arguments;
    va_start(arguments, format);
    fill_in(FAILURE_MISUSE, &(struct failure_details){.pc = pc, .address = ADDRESS(object)},
            format, arguments);
    va_end(arguments);
    schedule_end(OUTCOME_FAILED);
}

void failure_before_main(const char *what)
{
    failure_note(FAILURE_INVALID, &(struct failure_details){0}, "%s", what);
    rt.board->state = CHILD_DONE;
    raw_syscall1(SYS_exit_group, 0);
    __builtin_unreachable();
}

static void raise_memory(const char *what, uint64_t address, uint64_t size, bool write,
                         bool is_free, uint64_t pc)
{
    rt.on = false;
    failure_note(FAILURE_MEMORY, &(struct failure_details){.pc = pc, .address = address}, "%s",
                 what);
    struct board_failure *failure = failure_current();
    failure->naccesses = 1;
    struct board_access *access = &failure->access[0];
    access->tid = rt.current;
    access->write = write;
    access->is_free = is_free;
    access->size = (uint8_t)(size < 255 ? size : 255);
    access->address = address;
    access->stack.depth = 1;
    access->stack.pc[0] = pc;
    failure_access_context(access);
    heap_block(address, &failure->block);
    schedule_end(OUTCOME_FAILED);
}

void failure_memory(const char *what, uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    bool is_free = size == 0; /* free() and realloc() of something that can't be freed */
    raise_memory(what, address, size, write, is_free, pc);
}

void failure_memory_ends(const char *what, uint64_t base, uint64_t size, uint64_t pc)
{
    raise_memory(what, base, size, true, true, pc);
}

static void note_leak(const struct board_block *block, void *context)
{
    uint64_t *counts = context;
    counts[0]++;
    counts[1] += block->size;
    if (counts[0] == 1)
        failure_current()->block = *block;
}

void failure_leaks(void)
{
    uint64_t counts[2] = {0, 0};
    failure_note(FAILURE_MEMORY, &(struct failure_details){0}, "leak");
    heap_leaks(note_leak, counts);
    if (counts[0] == 0) {
        pending_failure = false;
        return;
    }
    struct board_failure *failure = failure_current();
    char blocks[32] = "one block";
    if (counts[0] > 1)
        snprintf(blocks, sizeof blocks, "%llu blocks", (unsigned long long)counts[0]);
    snprintf(failure->message, sizeof failure->message, "leak: %llu bytes in %s were not freed",
             (unsigned long long)counts[1], blocks);
    failure->tid = -1;
    schedule_end(OUTCOME_FAILED);
}

void failure_endless(uint32_t period)
{
    struct failure_details details = {.pc = rt.pending[rt.current].pc};
    if (period > 0)
        failure_note(FAILURE_LIVELOCK, &details,
                     "livelock: after %u operations the same %u are repeated from the same "
                     "state, by every thread that can run",
                     rt.pos.depth, period);
    else
        failure_note(FAILURE_LIVELOCK, &details,
                     "livelock: %u operations (--depth) without end, though the threads take "
                     "turns at their yields (--fair %d)",
                     rt.pos.depth, rt.board->config.search.fair);
    schedule_end(OUTCOME_LIVELOCK);
}

/* --- Keeping --- */

static bool same_failure(const struct board_failure *a, const struct board_failure *b)
{
    uint64_t pc_a = a->stack.depth ? a->stack.pc[0] : 0;
    uint64_t pc_b = b->stack.depth ? b->stack.pc[0] : 0;
    return a->kind == b->kind && pc_a == pc_b &&
           __builtin_memcmp(a->message, b->message, sizeof a->message) == 0;
}

void failure_keep(void)
{
    if (!pending_failure)
        return;
    pending_failure = false;
    if (rt.simplifying)
        return;
    must(rt.search);
    struct board *board = rt.board;
    struct board_failure *failure = failure_current();
    const struct search_stats *stats = search_stats(rt.search);
    bool sampled = search_is_sampling(rt.search);
    failure->execution = stats->executions + stats->sampled;
    failure->bound = sampled ? BOUND_NONE : stats->bound;
    failure->ends = board->nschedule;
    uint32_t n = board->nfailures;
    for (uint32_t i = 0; i < n; i++)
        if (same_failure(&board->failure[i], failure))
            return;
    if (n == BOARD_FAILURES || board->nschedule > BOARD_SCHEDULE - board->nkept) {
        limit_reached(LIMIT_AT_FAILURES);
        return;
    }
    board->kept_start[n] = board->nkept;
    for (uint32_t i = 0; i < board->nschedule; i++)
        board->kept[board->nkept++] = board->schedule[i];
    board->nfailures = n + 1;
}

/* --- What weakens the claim --- */

void raise_reason(enum claim_reason reason, const char *detail)
{
    claim_raise(&rt.board->claim, reason, detail);
}

void limit_reached(enum limit limit)
{
    claim_limit(&rt.board->claim, limit);
}

void failure_uncontrolled(const char *name)
{
    raise_reason(REASON_UNCONTROLLED, name);
}
