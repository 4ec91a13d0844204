/* futex(2) through syscall(2): std::atomic::wait, std::future, std::counting_semaphore and
 * hand-written locks are built on it. Modelled are WAIT, WAKE, their BITSET forms, REQUEUE and
 * CMP_REQUEUE.
 *
 * Waiting is two operations: the comparison, which reads the word and begins to wait, and the
 * return, enabled once the thread has been woken or timed out. If more threads wait than a WAKE
 * may wake, the search chooses among them. The futex itself orders nothing (the program's own
 * atomics do), so the race detector does not see it.
 *
 * A wait reads the word. A wake does not: to the kernel the address is only a name, and the
 * memory there may already be freed. Semaphores and latches "set the word, then wake", and
 * their users may free them as soon as the word is set. */
#include <errno.h>
#include <linux/futex.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/threads/deadline.h"
#include "runtime/hooks/threads/locks.h"

static long fail_with(int error)
{
    errno = error;
    return -1;
}

static bool is_waiter(uint32_t tid, const uint32_t *word, uint32_t mask)
{
    const struct thread *thread = &rt.thread[tid];
    return thread->wait.futex == word && !thread->wait.notified &&
           (thread->wait.futex_mask & mask);
}

static int count_waiters(const uint32_t *word, uint32_t mask)
{
    int waiters = 0;
    for (uint32_t t = 0; t < rt.used; t++)
        waiters += is_waiter(t, word, mask);
    return waiters;
}

static int nth_waiter(const uint32_t *word, uint32_t mask, int n)
{
    for (uint32_t t = 0; t < rt.used; t++)
        if (is_waiter(t, word, mask) && n-- == 0)
            return (int)t;
    return -1;
}

static void note_woken(struct op *op, int tid)
{
    op_add_object(op, OBJECT_WOKEN(tid));
    record_woken(tid);
}

static bool was_woken(struct thread *self)
{
    return self->wait.notified || self->time.timed_out;
}

static uint64_t wait_deadline(int operation, const struct timespec *timeout)
{
    if (!timeout)
        return NEVER;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return rt.self->time.now + (uint64_t)timeout->tv_sec * 1000000000 +
               (uint64_t)timeout->tv_nsec;
    return time_deadline(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                         timeout, 0);
}

static long futex_wait(uint32_t *word, int operation, uint32_t expected,
                       const struct timespec *timeout, uint32_t mask, uint64_t pc)
{
    struct thread *self = rt.self;
    if (timeout)
        caller_reads(timeout, sizeof *timeout, pc);
    struct op op = op_make(OP_FUTEX_WAIT, OP_READS, NULL, pc);
    op.nobjects = 1;
    op.object[0] = access_atomic_object(ADDRESS(word), sizeof *word, false, pc);
    schedule_point(&op);
    object_use(word, sizeof *word, pc);
    if (*(volatile uint32_t *)word != expected) {
        op.flags |= OP_FAILED;
        schedule_done(&op);
        return fail_with(EAGAIN);
    }
    self->wait.futex = word;
    self->wait.futex_mask = mask;
    self->wait.notified = false;
    spin_progress(self);
    schedule_done(&op);
    op = op_make(OP_FUTEX_WAIT, OP_READS | OP_MAY_BLOCK, NULL, pc);
    op.nobjects = 1;
    op.object[0] = OBJECT_WOKEN(self->slot);
    self->time.deadline = wait_deadline(operation, timeout);
    if (self->time.deadline != NEVER) {
        op.flags |= OP_TIMED;
        op.object[op.nobjects++] = access_atomic_object(ADDRESS(word), sizeof *word, false, pc);
    }
    schedule_point_blocking(&op, was_woken);
    bool timed_out = !self->wait.notified && schedule_timed_out();
    self->time.deadline = NEVER;
    self->wait.futex = NULL;
    if (timed_out)
        op.flags |= OP_TIMED_OUT;
    schedule_done(&op);
    return timed_out ? fail_with(ETIMEDOUT) : 0;
}

/* Wakes up to `limit` waiters; the search chooses which. */
static int wake_some(struct op *op, const uint32_t *word, uint32_t limit, uint32_t mask)
{
    int count = 0;
    while ((uint32_t)count < limit) {
        int waiters = count_waiters(word, mask);
        if (waiters == 0)
            break;
        bool all = limit - (uint32_t)count >= (uint32_t)waiters;
        int tid = nth_waiter(word, mask, all ? 0 : schedule_choose(waiters));
        rt.thread[tid].wait.notified = true;
        note_woken(op, tid);
        count++;
    }
    return count;
}

static long futex_wake(uint32_t *word, uint32_t limit, uint32_t mask, uint64_t pc)
{
    struct op op = op_make(OP_FUTEX_WAKE, OP_WRITES | OP_MAY_RELEASE, NULL, pc);
    op.nobjects = 1;
    op.object[0] = access_object_name(ADDRESS(word), sizeof *word, pc);
    schedule_point(&op);
    int count = wake_some(&op, word, limit, mask);
    schedule_done(&op);
    return count;
}

static long futex_requeue(uint32_t *word, uint32_t limit, uint32_t move_limit, uint32_t *target,
                          bool compare, uint32_t expected, uint64_t pc)
{
    struct op op = op_make(OP_FUTEX_WAKE, OP_READS | OP_WRITES | OP_MAY_RELEASE, NULL, pc);
    op.nobjects = 2;
    op.object[0] = access_object_name(ADDRESS(word), sizeof *word, pc);
    op.object[1] = access_object_name(ADDRESS(target), sizeof *target, pc);
    schedule_point(&op);
    if (compare)
        object_use(word, sizeof *word, pc);
    if (compare && *(volatile uint32_t *)word != expected) {
        op.flags |= OP_FAILED;
        schedule_done(&op);
        return fail_with(EAGAIN);
    }
    int count = wake_some(&op, word, limit, FUTEX_BITSET_MATCH_ANY);
    for (uint32_t moved = 0; moved < move_limit; moved++) {
        int tid = nth_waiter(word, FUTEX_BITSET_MATCH_ANY, 0);
        if (tid < 0)
            break;
        rt.thread[tid].wait.futex = target;
        note_woken(&op, tid);
        count++;
    }
    schedule_done(&op);
    return count;
}

long futex_call(const long *argument, uint64_t pc)
{
    uint32_t *word = (uint32_t *)argument[0];
    int operation = (int)argument[1];
    uint32_t value = (uint32_t)argument[2];
    const struct timespec *timeout = (const struct timespec *)argument[3];
    uint32_t *other = (uint32_t *)argument[4];
    uint32_t last = (uint32_t)argument[5];
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(word, operation, value, timeout, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAIT_BITSET:
        return futex_wait(word, operation, value, timeout, last, pc);
    case FUTEX_WAKE:
        return futex_wake(word, value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
        return futex_wake(word, value, last, pc);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return futex_requeue(word, value, (uint32_t)argument[3], other,
                             (operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE, last, pc);
    default:
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                      "futex operation %d is not supported", operation & FUTEX_CMD_MASK);
    }
}
