/* Failures: what went wrong, written to the board in terms of threads, stacks and objects.
 * Symbols, source lines and the words around them are the parent's business.
 *
 * The entry failure[nfailures] is filled in while the program's state is still there;
 * failure_keep() completes it after the search has counted the execution. Formatting uses
 * libc, which is allowed here only because the execution is over: its memory is restored
 * before any program code runs again. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "runtime/waiting/busy_loop.h"
#include "runtime/memory/heap.h"
#include "runtime/evidence/home.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/race/race.h"
#include "runtime/memory/raw.h"
#include "runtime/core/runtime.h"

static bool pending_failure; /* failure[nfailures] is filled in for the running execution */

struct board_failure *failure_current(void)
{
    uint32_t n = rt.board->nfailures;
    return &rt.board->failure[n < BOARD_FAILURES ? n : BOARD_FAILURES - 1];
}

/* --- Stacks --- */

void stack_capture(struct thread *thread, uint64_t pc, struct board_stack *out)
{
    out->depth = 0;
    if (pc)
        out->pc[out->depth++] = pc;
    if (UNLIKELY(rt.recording) && !record_pending_stack(thread->slot, pc, out) &&
        thread == rt.self)
        home_walk(pc, out);
    uint32_t n = thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX;
    while (n-- > 0 && out->depth < BOARD_STACK)
        out->pc[out->depth++] = thread->frame[n].pc;
}

/* RECORD mode: what heap.c and race.c ask for at every allocation and access. */
void failure_stack_here(struct board_stack *out)
{
    out->depth = 0;
    if (rt.self)
        stack_capture(rt.self, rt.heap_pc, out);
}

void failure_access_context(struct board_access *access)
{
    struct thread *thread = &rt.thread[access->tid];
    uint64_t pc = access->stack.depth > 0 ? access->stack.pc[0] : 0;
    access->event = thread->last_event;
    home_find(access->address, &access->home);
    access->nlocks = 0;
    for (uint32_t i = 0; i < thread->nlocks && i < LOCKS_MAX && i < BOARD_LOCKS_HELD; i++)
        access->lock[access->nlocks++] = thread->lock[i].address;
    stack_capture(thread, pc, &access->stack);
}

/* --- Filling in the entry --- */

static void fill(enum failure_kind kind, const struct failure_details *details,
                 const char *format, va_list arguments)
{
    if (UNLIKELY(rt.on_trial)) /* the search will come to it, with a schedule */
        spin_trial_fail();
    struct board_failure *failure = failure_current();
    __builtin_memset(failure, 0, sizeof *failure);
    failure->kind = kind;
    failure->tid = rt.self ? rt.current : -1;
    failure->signal = details->signal;
    failure->status = details->status;
    failure->line = details->line;
    failure->address = details->address;
    home_find(details->address, &failure->home);
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
    fill(kind, details, format, arguments);
    va_end(arguments);
    if (rt.search == NULL) /* nothing will be run: the entry is complete */
        rt.board->nfailures++;
}

void failure_raise(enum failure_kind kind, const struct failure_details *details,
                   const char *format, ...)
{
    rt.on = false;
    va_list arguments;
    va_start(arguments, format);
    fill(kind, details, format, arguments);
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

void failure_memory(const char *what, uint64_t address, uint64_t size, bool write, uint64_t pc)
{
    rt.on = false;
    failure_note(FAILURE_MEMORY, &(struct failure_details){.pc = pc, .address = address}, "%s",
                 what);
    struct board_failure *failure = failure_current();
    failure->naccesses = 1;
    struct board_access *access = &failure->access[0];
    access->tid = rt.current;
    access->write = write;
    access->is_free = size == 0; /* free() and realloc() of what can't be freed */
    access->size = (uint8_t)(size < 255 ? size : 255);
    access->address = address;
    access->stack.depth = 1;
    access->stack.pc[0] = pc;
    failure_access_context(access);
    heap_block(address, &failure->block);
    schedule_end(OUTCOME_FAILED);
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

/* A free that races with an access is a use after free in another order of the same events, so
 * it is reported as that. */
void race_report(const struct race_pair *pair)
{
    if (UNLIKELY(keys_race(pair->earlier.address)) ||
        annotations_allow_race(pair->earlier.address, pair->earlier.size))
        return;
    enum race_standing standing = libstdcxx_race(pair->earlier.address);
    if (!rt.check_races || standing == RACE_IS_ALLOWED)
        return;
    if (standing == RACE_IS_OPERATION) {
        access_add_racy(pair->earlier.address, pair->earlier.size);
        return;
    }
    if (rt.board->config.races == RACES_IGNORE) {
        rt.check_races = false; /* there is nothing more to know */
        raise_reason(REASON_RACES_IGNORED, NULL);
        return;
    }
    bool frees = (pair->earlier.is_free || pair->later.is_free) && !pair->is_birth;
    if (rt.explore_races && !frees) {
        access_add_racy(pair->earlier.address, pair->earlier.size);
        return;
    }
    struct failure_details details = {.pc =
                                          pair->later.stack.depth ? pair->later.stack.pc[0] : 0,
                                      .address = pair->later.address};
    if (frees)
        failure_note(FAILURE_MEMORY, &details,
                     "use after free: the block is freed while another thread may access it");
    else
        failure_note(FAILURE_RACE, &details, "%s",
                     pair->is_birth ? "data race with the allocation" : "data race");
    struct board_failure *failure = failure_current();
    failure->naccesses = 2;
    failure->access[0] = pair->earlier;
    failure->access[1] = pair->later;
    for (int i = 0; i < 2; i++)
        home_find(failure->access[i].address, &failure->access[i].home);
    if (failure->access[1].stack.depth <= 1)
        stack_capture(rt.self, details.pc, &failure->access[1].stack);
    heap_block(pair->later.address, &failure->block);
    if (pair->is_birth)
        failure->access[0].stack = failure->block.allocated;
    schedule_end(OUTCOME_FAILED);
}

/* --- Who waits for whom --- */

static int reader_of(uint64_t lock, int except)
{
    for (uint32_t t = 0; t < rt.used; t++)
        for (uint32_t i = 0; i < rt.thread[t].nlocks && i < LOCKS_MAX; i++)
            if (rt.thread[t].lock[i].address == lock && (int)t != except)
                return (int)t;
    return -1;
}

/* The thread that holds what `tid` waits for, or -1. */
static int waits_for(int tid)
{
    const struct thread *thread = &rt.thread[tid];
    const struct op *op = &rt.pending[tid];
    switch (op->kind) {
    case OP_MUTEX_LOCK:
    case OP_COND_WAKE: {
        const pthread_mutex_t *mutex = thread->wait_object;
        bool wants_mutex = op->kind == OP_MUTEX_LOCK || thread->notified;
        return wants_mutex && mutex_is_held(mutex) ? mutex->__data.__owner - 1 : -1;
    }
    case OP_RWLOCK_READ:
    case OP_RWLOCK_WRITE: {
        const pthread_rwlock_t *lock = thread->wait_object;
        if (lock->__data.__cur_writer)
            return lock->__data.__cur_writer - 1;
        int other = reader_of((uint64_t)(uintptr_t)lock, tid);
        return other >= 0 ? other : reader_of((uint64_t)(uintptr_t)lock, -1);
    }
    case OP_SPIN_LOCK:
        return spin_lock_owner(thread->wait_object);
    case OP_JOIN: /* main after pthread_exit waits for all of them */
        return op->nobjects > 0 ? (int)thread->wait_detail : -1;
    default:
        return -1;
    }
}

static bool is_stuck(int tid)
{
    return threadset_has(&rt.blocking, tid) && !threadset_has(&rt.pos.enabled, tid);
}

static bool is_on_cycle(int tid)
{
    int at = tid;
    for (uint32_t step = 0; step <= rt.used && at >= 0 && is_stuck(at); step++) {
        if (rt.thread[at].deadline != NEVER) /* its time will come */
            return false;
        at = waits_for(at);
        if (at == tid)
            return true;
    }
    return false;
}

/* Does the thread wait for a lock whose owner has ended, or for a thread that does? */
static bool waits_for_the_dead(int tid)
{
    int at = tid;
    for (uint32_t step = 0; step <= rt.used && at >= 0 && is_stuck(at); step++) {
        if (rt.thread[at].deadline != NEVER)
            return false;
        at = waits_for(at);
        if (at >= 0 && rt.thread[at].state == THREAD_FINISHED)
            return true;
    }
    return false;
}

bool failure_stuck_for_ever(void)
{
    for (uint32_t t = 0; t < rt.used; t++)
        if (is_on_cycle((int)t) || waits_for_the_dead((int)t))
            return true;
    return false;
}

/* Nothing can run but a loop that makes no operation: it hangs. */
static void raise_busy_loop(void)
{
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        if (!is_stuck((int)t) || !busy_loop_has(thread))
            continue;
        uint64_t pc = busy_loop_pc(thread);
        failure_note(FAILURE_HANG,
                     &(struct failure_details){.pc = pc, .signal = SIGURG},
                     "no visible operation for a long time: %s", hang_text(pc));
        struct board_failure *failure = failure_current();
        failure->tid = (int)t;
        stack_capture(&rt.thread[t], pc, &failure->stack);
        schedule_end(OUTCOME_FAILED);
    }
}

void failure_deadlock(void)
{
    if (UNLIKELY(rt.stops_loops))
        raise_busy_loop();
    uint32_t stuck = 0, spinning = 0;
    int first = -1;
    for (uint32_t t = 0; t < rt.used; t++) {
        if (!is_stuck((int)t))
            continue;
        stuck++;
        spinning += (rt.pending[t].flags & OP_SPINS) != 0;
        if (first < 0 || (rt.pending[t].flags & OP_SPINS))
            first = (int)t;
    }
    struct failure_details details = {0};
    if (spinning > 0)
        failure_note(FAILURE_LIVELOCK, &details,
                     "livelock: %u thread%s in a spin loop that nothing can end", spinning,
                     spinning > 1 ? "s are" : " is");
    else
        failure_note(FAILURE_DEADLOCK, &details, "deadlock: %u thread%s for ever", stuck,
                     stuck > 1 ? "s wait" : " waits");
    struct board_failure *failure = failure_current();
    if (first >= 0) {
        failure->tid = first;
        failure->address = rt.pending[first].nobjects ? rt.pending[first].object[0] : 0;
        stack_capture(&rt.thread[first], rt.pending[first].pc, &failure->stack);
    }
    schedule_end(spinning > 0 ? OUTCOME_LIVELOCK : OUTCOME_DEADLOCK);
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

/* The threads as they stand at the end of the execution. */
void failure_threads(void)
{
    struct board *board = rt.board;
    if (board->nthreads == 0)
        board->nthreads = 1;
    for (uint32_t t = 0; t < board->nthreads; t++) {
        struct board_thread *out = &board->thread[t];
        struct thread *thread = &rt.thread[t];
        out->state = t < rt.used ? thread->state : THREAD_NONE;
        if (out->state == THREAD_NONE)
            continue;
        out->pending = rt.pending[t];
        home_find(out->pending.nobjects ? out->pending.object[0] : 0, &out->home);
        if (threadset_has(&rt.blocking, (int)t) && (out->pending.flags & OP_SPINS))
            out->state = THREAD_SPINNING;
        out->waits_for = is_stuck((int)t) ? waits_for((int)t) : -1;
        out->nlocks = 0;
        for (uint32_t i = 0; i < thread->nlocks && i < BOARD_LOCKS_HELD; i++) {
            out->lock[i] = thread->lock[i].address;
            out->lock_pc[i] = thread->lock[i].pc;
            out->nlocks++;
        }
        __builtin_memcpy(out->name, thread->name, sizeof out->name);
        stack_capture(thread, out->pending.kind != OP_NONE ? out->pending.pc : 0, &out->stack);
    }
}

/* --- Keeping --- */

static bool same_failure(const struct board_failure *a, const struct board_failure *b)
{
    uint64_t pc_a = a->stack.depth ? a->stack.pc[0] : 0;
    uint64_t pc_b = b->stack.depth ? b->stack.pc[0] : 0;
    return a->kind == b->kind && pc_a == pc_b &&
           __builtin_memcmp(a->message, b->message, sizeof a->message) == 0;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Where the threads stand that wait for ever; of a cycle, its members only: who else waits
 * depends on how far the others came. The sum does not depend on which thread has which part.
 */
static uint64_t stuck_places(void)
{
    uint64_t all = 0, cycle = 0;
    for (uint32_t t = 0; t < rt.used; t++) {
        if (!is_stuck((int)t))
            continue;
        uint64_t place = mix(rt.pending[t].kind, rt.pending[t].pc);
        all += place;
        if (is_on_cycle((int)t))
            cycle += place;
    }
    return cycle ? cycle : all;
}

static uint64_t first_pc(const struct board_stack *stack)
{
    return stack->depth ? stack->pc[0] : 0;
}

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 0;
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}

uint64_t failure_identity(void)
{
    if (!pending_failure)
        return 0;
    const struct board_failure *failure = failure_current();
    uint64_t hash = mix(0, failure->kind);
    switch (failure->kind) {
    case FAILURE_DEADLOCK:
    case FAILURE_LIVELOCK:
        return mix(hash, stuck_places()) | 1;
    case FAILURE_ASSERTION:
    case FAILURE_MISUSE:
        hash = mix(hash, text_hash(failure->message));
        break;
    default:
        break;
    }
    if (failure->naccesses == 2)
        return mix(hash, mix(1, first_pc(&failure->access[0].stack)) +
                             mix(1, first_pc(&failure->access[1].stack))) |
               1;
    return mix(mix(hash, (uint64_t)failure->status), first_pc(&failure->stack)) | 1;
}

void failure_keep(void)
{
    if (!pending_failure)
        return;
    pending_failure = false;
    if (rt.simplifying)
        return;
    struct board *board = rt.board;
    struct board_failure *failure = failure_current();
    const struct search_stats *stats = search_stats(rt.search);
    failure->execution = stats->executions;
    failure->bound = stats->bound;
    failure->ends = board->nschedule;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < board->nschedule; i++)
        hash = (hash ^ board->schedule[i]) * UINT64_C(0x100000001b3);
    failure->schedule_hash = hash;
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
