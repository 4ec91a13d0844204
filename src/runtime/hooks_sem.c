/* Semaphores and barriers (POSIX sem_wait(3p), sem_open(3p), pthread_barrier_wait(3p)).
 *
 * A semaphore's value is the first 32 bits of the program's object, where glibc has it. A
 * barrier is two operations: ARRIVE, and LEAVE, enabled once the round is full; the last one to
 * arrive opens the round, goes on at once and gets PTHREAD_BARRIER_SERIAL_THREAD.
 *
 * Named semaphores are this process's own for the time of an execution: the kernel's shared
 * ones would keep their value from one execution to the next. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "runtime/heap.h"
#include "runtime/race.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/signals.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))
#define NAMED_MAX  32
#define NAMED_TEXT 64

/* --- Semaphores -----------------------------------------------------------------------------
 */

static uint32_t *value_of(sem_t *semaphore)
{
    return (uint32_t *)(void *)semaphore;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

static bool semaphore_ready(struct thread *self)
{
    return self->timed_out || *value_of(self->wait_object) > 0 || thread_is_cancelled(self) ||
           signals_ended_wait(self, false);
}

static int wait_semaphore(sem_t *semaphore, uint64_t deadline, uint64_t pc)
{
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, pc);
    struct op op = op_make(OP_SEM_WAIT, OP_READS | OP_WRITES | OP_MAY_BLOCK, semaphore, pc);
    if (deadline != NEVER)
        op.flags |= OP_TIMED;
    rt.self->wait_object = semaphore;
    rt.self->deadline = deadline;
    signals_begin_wait(rt.self);
    schedule_point_blocking(&op, semaphore_ready);
    signals_end_wait(rt.self);
    cancel_if_asked(&op);
    if (UNLIKELY(signals_ended_wait(rt.self, false))) { /* sem_wait(3p): EINTR */
        rt.self->deadline = NEVER;
        op.flags |= OP_FAILED;
        schedule_done(&op);
        return fail_with(EINTR);
    }
    if (deadline != NEVER && schedule_timed_out()) {
        op.flags |= OP_TIMED_OUT | OP_FAILED;
        schedule_done(&op);
        return fail_with(ETIMEDOUT);
    }
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, pc);
    --*value_of(semaphore);
    race_acquire(rt.current, ADDRESS(semaphore));
    schedule_done(&op);
    return 0;
}

int sem_init_hook(sem_t *semaphore, int shared, unsigned value);
FIBER_STUB(sem_init);
int sem_init_hook(sem_t *semaphore, int shared, unsigned value)
{
    UNLESS_ON(sem_init(semaphore, shared, value));
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, CALLER);
    if (value > SEM_VALUE_MAX)
        return fail_with(EINVAL);
    struct op op = op_make(OP_SEM_INIT, OP_WRITES, semaphore, CALLER);
    schedule_point(&op);
    int error = real.sem_init(semaphore, shared, value);
    schedule_done(&op);
    return error;
}

int sem_destroy_hook(sem_t *semaphore);
FIBER_STUB(sem_destroy);
int sem_destroy_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_destroy(semaphore));
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, CALLER);
    struct op op = op_make(OP_SEM_DESTROY, OP_WRITES, semaphore, CALLER);
    schedule_point(&op);
    for (uint32_t t = 0; t < rt.used; t++)
        if (rt.pending[t].kind == OP_SEM_WAIT && rt.thread[t].wait_object == semaphore &&
            *value_of(semaphore) == 0)
            failure_raise(
                FAILURE_MISUSE,
                &(struct failure_details){.pc = CALLER, .address = ADDRESS(semaphore)},
                "destruction of a semaphore that T%u waits on", t);
    schedule_done(&op);
    return 0;
}

int sem_wait_hook(sem_t *semaphore);
FIBER_STUB(sem_wait);
int sem_wait_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_wait(semaphore));
    return wait_semaphore(semaphore, NEVER, CALLER);
}

int sem_timedwait_hook(sem_t *semaphore, const struct timespec *when);
FIBER_STUB(sem_timedwait);
int sem_timedwait_hook(sem_t *semaphore, const struct timespec *when)
{
    UNLESS_ON(sem_timedwait(semaphore, when));
    return wait_semaphore(semaphore, time_deadline(CLOCK_REALTIME, when), CALLER);
}

int sem_clockwait_hook(sem_t *semaphore, clockid_t clock, const struct timespec *when);
FIBER_STUB(sem_clockwait);
int sem_clockwait_hook(sem_t *semaphore, clockid_t clock, const struct timespec *when)
{
    UNLESS_ON(sem_clockwait(semaphore, clock, when));
    return wait_semaphore(semaphore, time_deadline(clock, when), CALLER);
}

int sem_trywait_hook(sem_t *semaphore);
FIBER_STUB(sem_trywait);
int sem_trywait_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_trywait(semaphore));
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, CALLER);
    struct op op = op_make(OP_SEM_TRYWAIT, OP_READS | OP_WRITES, semaphore, CALLER);
    spin_point(&op, CALLER);
    if (*value_of(semaphore) == 0) {
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
        spin_note_read(CALLER, ADDRESS(semaphore), ADDRESS(semaphore), 0, 4);
        schedule_done(&op);
        return fail_with(EAGAIN);
    }
    --*value_of(semaphore);
    race_acquire(rt.current, ADDRESS(semaphore));
    schedule_done(&op);
    return 0;
}

int sem_post_hook(sem_t *semaphore);
FIBER_STUB(sem_post);
int sem_post_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_post(semaphore));
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, CALLER);
    struct op op = op_make(OP_SEM_POST, OP_WRITES | OP_MAY_RELEASE, semaphore, CALLER);
    schedule_point(&op);
    bool overflows = *value_of(semaphore) >= SEM_VALUE_MAX;
    if (!overflows) {
        ++*value_of(semaphore);
        race_release(rt.current, ADDRESS(semaphore));
    }
    schedule_done(&op);
    return overflows ? fail_with(EOVERFLOW) : 0;
}

int sem_getvalue_hook(sem_t *semaphore, int *value);
FIBER_STUB(sem_getvalue);
int sem_getvalue_hook(sem_t *semaphore, int *value)
{
    UNLESS_ON(sem_getvalue(semaphore, value));
    access_check(ADDRESS(semaphore), sizeof *semaphore, false, CALLER);
    struct op op = op_make(OP_SEM_VALUE, OP_READS, semaphore, CALLER);
    schedule_point(&op);
    *value = (int)*value_of(semaphore);
    schedule_done(&op);
    caller_writes(value, sizeof *value, CALLER);
    return 0;
}

/* --- Named semaphores --- */

static struct {
    char name[NAMED_TEXT];
    sem_t *semaphore; /* NULL: free entry */
} named[NAMED_MAX];

void semaphores_begin(void)
{
    for (int i = 0; i < NAMED_MAX; i++)
        named[i].semaphore = NULL;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    if (!rt.on) {
        if (real.close == NULL)
            real_resolve();
        return real.sem_open(name, flags, mode, value);
    }
    int unused = -1;
    for (int i = 0; i < NAMED_MAX; i++) {
        if (named[i].semaphore == NULL) {
            unused = unused < 0 ? i : unused;
        } else if (same_name(named[i].name, name)) {
            if ((flags & O_CREAT) && (flags & O_EXCL))
                return fail_with(EEXIST), SEM_FAILED;
            return named[i].semaphore;
        }
    }
    size_t length = 0;
    while (name[length])
        length++;
    if (!(flags & O_CREAT) || unused < 0 || length >= NAMED_TEXT)
        return fail_with(!(flags & O_CREAT) ? ENOENT : ENOSPC), SEM_FAILED;
    sem_t *semaphore = heap_alloc(rt.current, sizeof *semaphore, 0, true, CALLER);
    *value_of(semaphore) = value;
    __builtin_memcpy(named[unused].name, name, length + 1);
    named[unused].semaphore = semaphore;
    return semaphore;
}

EXPORT int sem_close(sem_t *semaphore)
{
    UNLESS_ON(sem_close(semaphore));
    return 0; /* it lives on until it is unlinked: sem_close(3p) */
}

EXPORT int sem_unlink(const char *name)
{
    UNLESS_ON(sem_unlink(name));
    for (int i = 0; i < NAMED_MAX; i++)
        if (named[i].semaphore != NULL && same_name(named[i].name, name)) {
            named[i].semaphore = NULL;
            return 0;
        }
    return fail_with(ENOENT);
}

/* --- Barriers --- */

/* Inside the program's pthread_barrier_t; valid only after pthread_barrier_init. */
struct barrier {
    uint32_t arrived;
    uint32_t round;
    uint32_t count;
    uint32_t live; /* BARRIER_LIVE between init and destroy */
};
#define BARRIER_LIVE UINT32_C(0xba221e2)

/* Rounds are different objects to the race detector: who leaves round n has synchronised
 * with round n only. */
static uint64_t round_object(const struct barrier *barrier, uint32_t round)
{
    return ADDRESS(barrier) | (uint64_t)(round & 0x7fff) << 48;
}

static bool round_over(struct thread *self)
{
    const struct barrier *barrier = self->wait_object;
    return barrier->round != (uint32_t)self->wait_detail;
}

static struct barrier *check_barrier(pthread_barrier_t *object, const char *call, uint64_t pc)
{
    access_check(ADDRESS(object), sizeof *object, true, pc);
    struct barrier *barrier = (struct barrier *)(void *)object;
    if (barrier->live != BARRIER_LIVE)
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = pc, .address = ADDRESS(object)},
                      "%s of a barrier that is not initialised", call);
    return barrier;
}

int pthread_barrier_init_hook(pthread_barrier_t *object,
                              const pthread_barrierattr_t *attributes, unsigned count);
FIBER_STUB(pthread_barrier_init);
int pthread_barrier_init_hook(pthread_barrier_t *object,
                              const pthread_barrierattr_t *attributes, unsigned count)
{
    UNLESS_ON(pthread_barrier_init(object, attributes, count));
    if (count == 0)
        return EINVAL;
    access_check(ADDRESS(object), sizeof *object, true, CALLER);
    struct op op = op_make(OP_BARRIER_INIT, OP_WRITES, object, CALLER);
    schedule_point(&op);
    struct barrier *barrier = (struct barrier *)(void *)object;
    *barrier = (struct barrier){.count = count, .live = BARRIER_LIVE};
    schedule_done(&op);
    return 0;
}

int pthread_barrier_destroy_hook(pthread_barrier_t *object);
FIBER_STUB(pthread_barrier_destroy);
int pthread_barrier_destroy_hook(pthread_barrier_t *object)
{
    UNLESS_ON(pthread_barrier_destroy(object));
    struct barrier *barrier = check_barrier(object, "destroy", CALLER);
    struct op op = op_make(OP_BARRIER_DESTROY, OP_WRITES, object, CALLER);
    schedule_point(&op);
    if (barrier->arrived > 0)
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = CALLER, .address = ADDRESS(object)},
                      "destruction of a barrier that %u threads wait at", barrier->arrived);
    barrier->live = 0;
    schedule_done(&op);
    return 0;
}

int pthread_barrier_wait_hook(pthread_barrier_t *object);
FIBER_STUB(pthread_barrier_wait);
int pthread_barrier_wait_hook(pthread_barrier_t *object)
{
    UNLESS_ON(pthread_barrier_wait(object));
    struct barrier *barrier = check_barrier(object, "wait", CALLER);
    struct op op =
        op_make(OP_BARRIER_ARRIVE, OP_READS | OP_WRITES | OP_MAY_RELEASE, object, CALLER);
    schedule_point(&op);
    check_barrier(object, "wait", CALLER);
    uint32_t round = barrier->round;
    race_release(rt.current, round_object(barrier, round));
    bool last = ++barrier->arrived == barrier->count;
    if (last) {
        barrier->arrived = 0;
        barrier->round++;
        race_acquire(rt.current, round_object(barrier, round));
    }
    schedule_done(&op);
    if (last)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    op = op_make(OP_BARRIER_LEAVE, OP_READS | OP_MAY_BLOCK, object, CALLER);
    rt.self->wait_object = barrier;
    rt.self->wait_detail = round;
    schedule_point_blocking(&op, round_over);
    race_acquire(rt.current, round_object(barrier, round));
    schedule_done(&op);
    return 0;
}
