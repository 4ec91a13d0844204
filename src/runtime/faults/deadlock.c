/* Threads that wait forever: which thread waits for which, and how that is reported. */
#include <signal.h>

#include "base/hash.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/home.h"
#include "runtime/faults/faults.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/waiting/busy_loop.h"

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
        const pthread_mutex_t *mutex = thread->wait.object;
        bool wants_mutex = op->kind == OP_MUTEX_LOCK || thread->wait.notified;
        return wants_mutex && mutex_is_held(mutex) ? mutex->__data.__owner - 1 : -1;
    }
    case OP_RWLOCK_READ:
    case OP_RWLOCK_WRITE: {
        const pthread_rwlock_t *lock = thread->wait.object;
        if (lock->__data.__cur_writer)
            return lock->__data.__cur_writer - 1;
        int other = reader_of((uint64_t)(uintptr_t)lock, tid);
        return other >= 0 ? other : reader_of((uint64_t)(uintptr_t)lock, -1);
    }
    case OP_SPIN_LOCK:
        return spin_lock_owner(thread->wait.object);
    case OP_JOIN: /* main after pthread_exit waits for all of them */
        return op->object[0] != OBJECT_END(thread->wait.detail) ? (int)thread->wait.detail : -1;
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
        if (rt.thread[at].time.deadline != NEVER) /* it will time out */
            return false;
        at = waits_for(at);
        if (at == tid)
            return true;
    }
    return false;
}

/* Does the thread wait for a lock whose owner has ended, or for a thread that waits for one? */
static bool waits_for_the_dead(int tid)
{
    int at = tid;
    for (uint32_t step = 0; step <= rt.used && at >= 0 && is_stuck(at); step++) {
        if (rt.thread[at].time.deadline != NEVER)
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

/* Only a loop without operations can run: the program hangs. */
static void raise_busy_loop(void)
{
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        if (!is_stuck((int)t) || !busy_loop_has(thread))
            continue;
        uint64_t pc = busy_loop_pc(thread);
        failure_note(FAILURE_HANG, &(struct failure_details){.pc = pc, .signal = SIGURG},
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
        out->handle = (uint64_t)thread->life.handle;
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
        __builtin_memcpy(out->name, thread->life.name, sizeof out->name);
        stack_capture(thread, out->pending.kind != OP_NONE ? out->pending.pc : 0, &out->stack);
    }
}

/* --- The identity of a failure --- */

/* Where the threads that wait forever are. For a cycle only its members count, since it depends
 * on the progress of the other threads which of them wait, too. The sum does not depend on
 * which thread plays which part.
 */
static uint64_t stuck_places(void)
{
    uint64_t all = 0, cycle = 0;
    for (uint32_t t = 0; t < rt.used; t++) {
        if (!is_stuck((int)t))
            continue;
        uint64_t place = hash_join(rt.pending[t].kind, rt.pending[t].pc);
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

uint64_t failure_identity(void)
{
    if (!failure_is_pending())
        return 0;
    const struct board_failure *failure = failure_current();
    uint64_t hash = hash_join(0, failure->kind);
    switch (failure->kind) {
    case FAILURE_DEADLOCK:
    case FAILURE_LIVELOCK:
        return hash_join(hash, stuck_places()) | 1;
    case FAILURE_ASSERTION:
    case FAILURE_MISUSE:
        hash = hash_join(hash, hash_of_text(failure->message));
        break;
    default:
        break;
    }
    if (failure->naccesses == 2)
        return hash_join(hash, hash_join(1, first_pc(&failure->access[0].stack)) +
                                   hash_join(1, first_pc(&failure->access[1].stack))) |
               1;
    return hash_join(hash_join(hash, (uint64_t)failure->status), first_pc(&failure->stack)) | 1;
}
