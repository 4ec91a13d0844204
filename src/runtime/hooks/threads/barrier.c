/* Barriers (POSIX pthread_barrier_wait(3p)).
 *
 * A wait is two operations: ARRIVE, and LEAVE, which is enabled once the round is full. The
 * last thread to arrive opens the round, continues at once and gets
 * PTHREAD_BARRIER_SERIAL_THREAD.
 *
 * What a wait depends on. Threads arrive in some order, and the last one opens the round.
 * Leaving depends only on the arrivals of the same round, not on threads that meanwhile arrive
 * at the next one. So rounds have their own objects, two in turn: the next round but one can't
 * begin before all threads have left this one. Which round a thread arrives at follows from its
 * past, unless more threads use the barrier than it counts. If a thread arrives at a different
 * round than was expected when it announced its arrival, the search learns that and starts over
 * (LESSON_ROUNDS); from then on leaving depends on all arrivals.
 *
 * A thread may destroy the barrier as soon as its own wait has returned, while others are still
 * leaving. glibc's pthread_barrier_destroy() waits for them, so their last use of the barrier
 * comes before its end, and leaving is ordered before the destruction. Here, a thread that
 * leaves after the destruction finds wait_condition NULL and does not touch the barrier.
 * Freeing a barrier that was not destroyed is a use after free as long as a thread still has to
 * leave. */
#include <errno.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"

/* Inside the program's pthread_barrier_t; valid only after pthread_barrier_init. */
struct barrier {
    uint32_t arrived;
    uint32_t round;
    uint32_t count;
    uint32_t live; /* BARRIER_LIVE between init and destroy */
};
#define BARRIER_LIVE UINT32_C(0xba221e2)

/* Each round is a separate object to the race detector: a thread that leaves round n has
 * synchronised with round n only. */
static uint64_t round_object(const struct barrier *barrier, uint32_t round)
{
    return ADDRESS(barrier) | (uint64_t)(round & 0x3fff) << 48;
}

/* Collects the clocks of all threads that have left, for the destruction. */
static uint64_t left_object(const struct barrier *barrier)
{
    return ADDRESS(barrier) | UINT64_C(0x4000) << 48;
}

/* Objects of the operations, which all read the barrier itself. */
static uint64_t arrivals_of(const struct barrier *barrier)
{
    return ADDRESS(barrier) + 8;
}

static uint64_t openings_of(const struct barrier *barrier, uint32_t round)
{
    return ADDRESS(barrier) + 16 + 8 * (round & 1);
}

static bool rounds_are_open(void)
{
    return lessons_have(&rt.board->lessons, LESSON_ROUNDS);
}

static bool round_over(struct thread *self)
{
    return self->wait.notified;
}

static bool is_inside(uint32_t tid, const struct barrier *barrier)
{
    return rt.thread[tid].wait.condition == (const void *)barrier;
}

static void raise_misuse(const void *object, const char *call, const char *what, uint64_t pc)
{
    failure_misuse(object, pc, "%s of a barrier that %s", call, what);
}

static struct barrier *check_barrier(pthread_barrier_t *object, const char *call, uint64_t pc)
{
    access_check(ADDRESS(object), sizeof *object, true, pc);
    struct barrier *barrier = (struct barrier *)(void *)object;
    if (barrier->live != BARRIER_LIVE)
        raise_misuse(object, call, "is not initialised", pc);
    return barrier;
}

/* A constructor initialises the barrier before main: glibc's fields begin with the same three
 * numbers, and the mark is in the field where glibc stores whether processes share the
 * barrier. */
static int init_outside(pthread_barrier_t *object, const pthread_barrierattr_t *attributes,
                        unsigned count)
{
    real_prepare();
    int result = real.pthread_barrier_init(object, attributes, count);
    if (result == 0)
        ((struct barrier *)(void *)object)->live = BARRIER_LIVE;
    return result;
}

/* pthread_barrier_init(3p): "Attempting to initialize an already initialized barrier results in
 * undefined behavior." On a stack the mark may be left over from an earlier call of the same
 * function. */
int pthread_barrier_init_hook(pthread_barrier_t *object,
                              const pthread_barrierattr_t *attributes, unsigned count);
FIBER_STUB(pthread_barrier_init);
int pthread_barrier_init_hook(pthread_barrier_t *object,
                              const pthread_barrierattr_t *attributes, unsigned count)
{
    if (UNLIKELY(!under_control()))
        return init_outside(object, attributes, count);
    if (count == 0)
        return EINVAL;
    access_check(ADDRESS(object), sizeof *object, true, CALLER);
    if (attributes)
        caller_reads(attributes, sizeof *attributes, CALLER);
    struct op op = op_make(OP_BARRIER_INIT, OP_WRITES, object, CALLER);
    schedule_point(&op);
    struct barrier *barrier = (struct barrier *)(void *)object;
    access_check(ADDRESS(object), sizeof *object, true, CALLER);
    if (barrier->live == BARRIER_LIVE && thread_of_stack(ADDRESS(object)) < 0)
        raise_misuse(object, "initialisation", "is initialised already", CALLER);
    object_init(object, sizeof *object, CALLER);
    *barrier = (struct barrier){.count = count, .live = BARRIER_LIVE};
    schedule_done(&op);
    return 0;
}

int pthread_barrier_destroy_hook(pthread_barrier_t *object);
FIBER_STUB(pthread_barrier_destroy);
int pthread_barrier_destroy_hook(pthread_barrier_t *object)
{
    if (!under_control())
        ((struct barrier *)(void *)object)->live = 0;
    UNLESS_ON(pthread_barrier_destroy(object));
    struct barrier *barrier = check_barrier(object, "destruction", CALLER);
    struct op op = op_make(OP_BARRIER_DESTROY, OP_WRITES, object, CALLER);
    schedule_point(&op);
    race_acquire(rt.current, left_object(barrier));
    check_barrier(object, "destruction", CALLER);
    object_use(object, sizeof *object, CALLER);
    if (barrier->arrived > 0)
        failure_misuse(object, CALLER, "destruction of a barrier that %u threads wait at",
                       barrier->arrived);
    for (uint32_t t = 0; t < rt.used; t++)
        if (is_inside(t, barrier))
            rt.thread[t].wait.condition = NULL;
    barrier->live = 0;
    schedule_done(&op);
    return 0;
}

/* The round is full: the threads that wait in it can leave. */
static void open_round(struct barrier *barrier, uint32_t round)
{
    barrier->arrived = 0;
    barrier->round++;
    for (uint32_t t = 0; t < rt.used; t++)
        if (is_inside(t, barrier) && rt.thread[t].wait.detail == round)
            rt.thread[t].wait.notified = true;
    race_acquire(rt.current, round_object(barrier, round));
}

static void leave_barrier(struct barrier *barrier, uint32_t round, uint64_t pc)
{
    struct thread *self = rt.self;
    struct op op = op_make(OP_BARRIER_LEAVE, OP_READS | OP_MAY_BLOCK, barrier, pc);
    op.object[op.nobjects++] =
        rounds_are_open() ? arrivals_of(barrier) : openings_of(barrier, round);
    self->wait.condition = barrier;
    self->wait.detail = round;
    self->wait.notified = false;
    schedule_point_blocking(&op, round_over);
    race_acquire(rt.current, round_object(barrier, round));
    if (self->wait.condition) {
        object_use(barrier, sizeof(pthread_barrier_t), pc);
        race_release(rt.current, left_object(barrier));
    }
    self->wait.condition = NULL;
    schedule_done(&op);
}

int pthread_barrier_wait_hook(pthread_barrier_t *object);
FIBER_STUB(pthread_barrier_wait);
int pthread_barrier_wait_hook(pthread_barrier_t *object)
{
    UNLESS_ON(pthread_barrier_wait(object));
    struct barrier *barrier = check_barrier(object, "wait", CALLER);
    struct op op =
        op_make(OP_BARRIER_ARRIVE, OP_READS | OP_WRITES | OP_MAY_RELEASE, object, CALLER);
    uint32_t expected = barrier->round;
    op.only_read = 1;
    op.object[op.nobjects++] = arrivals_of(barrier);
    if (!rounds_are_open())
        op.object[op.nobjects++] = openings_of(barrier, expected);
    schedule_point(&op);
    check_barrier(object, "wait", CALLER);
    object_use(object, sizeof *object, CALLER);
    uint32_t round = barrier->round;
    if (UNLIKELY(round != expected) && !rounds_are_open()) {
        shared_learn(LESSON_ROUNDS, 0);
        op.object[2] = openings_of(barrier, round); /* no lessons while simplifying */
    }
    race_release(rt.current, round_object(barrier, round));
    bool last = ++barrier->arrived == barrier->count;
    if (last)
        open_round(barrier, round);
    schedule_done(&op);
    if (last)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    leave_barrier(barrier, round, CALLER);
    return 0;
}
