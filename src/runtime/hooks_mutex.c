/* Mutexes, spin locks and pthread_once (POSIX pthread_mutex_lock(3p), pthread_spin_lock(3p),
 * pthread_once(3p)).
 *
 * The state lives in the program's own object, in the fields where glibc keeps it: a static
 * initialiser is right as it is, the snapshot resets it, gdb shows it, and it dies with its
 * memory. Owners are slot + 1. glibc's mark of a destroyed mutex, kind -1, is kept.
 *
 * Errors: what POSIX defines is returned; what POSIX calls undefined is a misuse failure. */
#include <errno.h>

#include "runtime/locks.h"
#include "runtime/race.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#define KIND(mutex)  ((mutex)->__data.__kind & 3)
#define IS_DESTROYED (-1)
#define ADDRESS(p)   ((uint64_t)(uintptr_t)(p))

/* --- Locks held, for reports --- */

void lock_note_taken(uint64_t address, uint64_t pc, bool shared)
{
    struct thread *self = rt.self;
    if (self->nlocks < LOCKS_MAX)
        self->lock[self->nlocks] = (struct held_lock){address, pc, shared};
    self->nlocks++;
}

void lock_note_released(uint64_t address)
{
    struct thread *self = rt.self;
    uint32_t n = self->nlocks < LOCKS_MAX ? self->nlocks : LOCKS_MAX;
    for (uint32_t i = n; i-- > 0;) {
        if (self->lock[i].address != address)
            continue;
        for (uint32_t j = i + 1; j < n; j++)
            self->lock[j - 1] = self->lock[j];
        break;
    }
    if (self->nlocks > 0)
        self->nlocks--;
}

static bool holds(uint64_t address)
{
    const struct thread *self = rt.self;
    for (uint32_t i = 0; i < self->nlocks && i < LOCKS_MAX; i++)
        if (self->lock[i].address == address)
            return true;
    return false;
}

/* --- Mutexes --- */

static void check_mutex(const pthread_mutex_t *mutex, const char *call, uint64_t pc)
{
    access_check(ADDRESS(mutex), sizeof *mutex, true, pc);
    if (UNLIKELY(mutex->__data.__kind == IS_DESTROYED))
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = pc, .address = ADDRESS(mutex)},
                      "%s of a mutex that was destroyed", call);
}

static bool mutex_ready(struct thread *self)
{
    const pthread_mutex_t *mutex = self->wait_object;
    return self->timed_out || mutex->__data.__lock == 0;
}

void mutex_take(pthread_mutex_t *mutex, uint32_t count, uint64_t pc)
{
    mutex->__data.__lock = 1;
    mutex->__data.__owner = rt.current + 1;
    mutex->__data.__count = count;
    race_acquire(rt.current, ADDRESS(mutex));
    lock_note_taken(ADDRESS(mutex), pc, false);
}

uint32_t mutex_give(pthread_mutex_t *mutex)
{
    uint32_t count = mutex->__data.__count;
    mutex->__data.__lock = 0;
    mutex->__data.__owner = 0;
    mutex->__data.__count = 0;
    race_release(rt.current, ADDRESS(mutex));
    lock_note_released(ADDRESS(mutex));
    return count;
}

bool mutex_is_mine(const pthread_mutex_t *mutex)
{
    return mutex->__data.__lock != 0 && mutex->__data.__owner == rt.current + 1;
}

/* The owner locks again. 0: done (recursive); an error number; or -1: it would wait. */
static int relock(pthread_mutex_t *mutex, bool timed, uint64_t pc)
{
    switch (KIND(mutex)) {
    case PTHREAD_MUTEX_RECURSIVE:
        mutex->__data.__count++;
        return 0;
    case PTHREAD_MUTEX_ERRORCHECK:
        return EDEADLK;
    default:
        if (!timed)
            failure_raise(
                FAILURE_MISUSE, &(struct failure_details){.pc = pc, .address = ADDRESS(mutex)},
                "a thread locks a normal mutex that it holds already: it waits for itself");
        return -1;
    }
}

int mutex_lock(pthread_mutex_t *mutex, uint64_t deadline, uint64_t pc)
{
    check_mutex(mutex, "lock", pc);
    if (UNLIKELY(mutex_is_mine(mutex))) {
        int error = relock(mutex, deadline != NEVER, pc);
        if (error >= 0)
            return error;
    }
    struct op op = op_make(OP_MUTEX_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, mutex, pc);
    if (deadline != NEVER)
        op.flags |= OP_TIMED;
    rt.self->wait_object = mutex;
    rt.self->deadline = deadline;
    schedule_point_blocking(&op, mutex_ready);
    if (UNLIKELY(deadline != NEVER) && schedule_timed_out()) {
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_TIMED_OUT | OP_FAILED);
        schedule_done(&op);
        return ETIMEDOUT;
    }
    check_mutex(mutex, "lock", pc);
    mutex_take(mutex, 0, pc);
    schedule_done(&op);
    return 0;
}

int mutex_trylock(pthread_mutex_t *mutex, uint64_t pc)
{
    check_mutex(mutex, "trylock", pc);
    if (mutex_is_mine(mutex) && KIND(mutex) == PTHREAD_MUTEX_RECURSIVE)
        return relock(mutex, false, pc);
    struct op op = op_make(OP_MUTEX_TRYLOCK, OP_READS | OP_WRITES, mutex, pc);
    spin_point(&op, pc);
    check_mutex(mutex, "trylock", pc);
    if (mutex->__data.__lock != 0) {
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
        if (UNLIKELY(rt.recording))
            record_facts.result = EBUSY;
        spin_note_read(pc, ADDRESS(&mutex->__data.__lock), ADDRESS(mutex), 1, 4);
        schedule_done(&op);
        return EBUSY;
    }
    mutex_take(mutex, 0, pc);
    schedule_done(&op);
    return 0;
}

int mutex_unlock(pthread_mutex_t *mutex, uint64_t pc)
{
    check_mutex(mutex, "unlock", pc);
    bool mine = mutex_is_mine(mutex);
    int kind = KIND(mutex);
    if (mine && kind == PTHREAD_MUTEX_RECURSIVE && mutex->__data.__count > 0) {
        mutex->__data.__count--;
        return 0;
    }
    if (UNLIKELY(!mine)) {
        if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = pc, .address = ADDRESS(mutex)}, "%s",
                      mutex->__data.__lock ? "unlock of a mutex that another thread holds"
                                           : "unlock of a mutex that is not locked");
    }
    struct op op = op_make(OP_MUTEX_UNLOCK, OP_WRITES | OP_MAY_RELEASE, mutex, pc);
    schedule_point(&op);
    mutex_give(mutex);
    schedule_done(&op);
    return 0;
}

int pthread_mutex_init_hook(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
FIBER_STUB(pthread_mutex_init);
int pthread_mutex_init_hook(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    UNLESS_ON(pthread_mutex_init(mutex, attributes));
    access_check(ADDRESS(mutex), sizeof *mutex, true, CALLER);
    struct op op = op_make(OP_MUTEX_INIT, OP_WRITES, mutex, CALLER);
    schedule_point(&op);
    if (holds(ADDRESS(mutex))) /* what lies in the memory itself may be rubbish */
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = CALLER, .address = ADDRESS(mutex)},
                      "initialisation of a mutex that is locked");
    int error = real.pthread_mutex_init(mutex, attributes);
    race_forget(ADDRESS(mutex));
    schedule_done(&op);
    return error;
}

int pthread_mutex_destroy_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_destroy);
int pthread_mutex_destroy_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON(pthread_mutex_destroy(mutex));
    check_mutex(mutex, "destroy", CALLER);
    struct op op = op_make(OP_MUTEX_DESTROY, OP_WRITES, mutex, CALLER);
    schedule_point(&op);
    if (mutex->__data.__lock != 0)
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = CALLER, .address = ADDRESS(mutex)},
                      "destruction of a mutex that is held by T%d", mutex->__data.__owner - 1);
    mutex->__data.__kind = IS_DESTROYED;
    schedule_done(&op);
    return 0;
}

int pthread_mutex_lock_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_lock);
int pthread_mutex_lock_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON(pthread_mutex_lock(mutex));
    return mutex_lock(mutex, NEVER, CALLER);
}

int pthread_mutex_timedlock_hook(pthread_mutex_t *mutex, const struct timespec *when);
FIBER_STUB(pthread_mutex_timedlock);
int pthread_mutex_timedlock_hook(pthread_mutex_t *mutex, const struct timespec *when)
{
    UNLESS_ON(pthread_mutex_timedlock(mutex, when));
    return mutex_lock(mutex, time_deadline(CLOCK_REALTIME, when), CALLER);
}

int pthread_mutex_clocklock_hook(pthread_mutex_t *mutex, clockid_t clock,
                                 const struct timespec *when);
FIBER_STUB(pthread_mutex_clocklock);
int pthread_mutex_clocklock_hook(pthread_mutex_t *mutex, clockid_t clock,
                                 const struct timespec *when)
{
    UNLESS_ON(pthread_mutex_clocklock(mutex, clock, when));
    return mutex_lock(mutex, time_deadline(clock, when), CALLER);
}

int pthread_mutex_trylock_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_trylock);
int pthread_mutex_trylock_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON(pthread_mutex_trylock(mutex));
    return mutex_trylock(mutex, CALLER);
}

int pthread_mutex_unlock_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_unlock);
int pthread_mutex_unlock_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON(pthread_mutex_unlock(mutex));
    return mutex_unlock(mutex, CALLER);
}

/* --- Spin locks: glibc has 1 for free; held by slot s is -s --- */

#define SPIN_FREE 1

static bool spin_lock_ready(struct thread *self)
{
    return *(volatile int *)self->wait_object == SPIN_FREE;
}

static void take_spin_lock(pthread_spinlock_t *lock, uint64_t pc)
{
    *lock = -rt.current;
    race_acquire(rt.current, ADDRESS(lock));
    lock_note_taken(ADDRESS(lock), pc, false);
}

int pthread_spin_init_hook(pthread_spinlock_t *lock, int shared);
FIBER_STUB(pthread_spin_init);
int pthread_spin_init_hook(pthread_spinlock_t *lock, int shared)
{
    UNLESS_ON(pthread_spin_init(lock, shared));
    access_check(ADDRESS(lock), sizeof *lock, true, CALLER);
    struct op op = op_make(OP_SPIN_INIT, OP_WRITES, (const void *)lock, CALLER);
    schedule_point(&op);
    *lock = SPIN_FREE;
    schedule_done(&op);
    return 0;
}

int pthread_spin_destroy_hook(pthread_spinlock_t *lock);
FIBER_STUB(pthread_spin_destroy);
int pthread_spin_destroy_hook(pthread_spinlock_t *lock)
{
    UNLESS_ON(pthread_spin_destroy(lock));
    access_check(ADDRESS(lock), sizeof *lock, true, CALLER);
    struct op op = op_make(OP_SPIN_DESTROY, OP_WRITES, (const void *)lock, CALLER);
    schedule_point(&op);
    if (*lock != SPIN_FREE)
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = CALLER, .address = ADDRESS(lock)},
                      "destruction of a spin lock that is held");
    schedule_done(&op);
    return 0;
}

int pthread_spin_lock_hook(pthread_spinlock_t *lock);
FIBER_STUB(pthread_spin_lock);
int pthread_spin_lock_hook(pthread_spinlock_t *lock)
{
    UNLESS_ON(pthread_spin_lock(lock));
    access_check(ADDRESS(lock), sizeof *lock, true, CALLER);
    if (*lock == -rt.current && *lock != SPIN_FREE && rt.self->nlocks > 0)
        for (uint32_t i = 0; i < rt.self->nlocks && i < LOCKS_MAX; i++)
            if (rt.self->lock[i].address == ADDRESS(lock))
                failure_raise(FAILURE_MISUSE,
                              &(struct failure_details){.pc = CALLER, .address = ADDRESS(lock)},
                              "a thread locks a spin lock that it holds already");
    struct op op =
        op_make(OP_SPIN_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, (const void *)lock, CALLER);
    rt.self->wait_object = (void *)(uintptr_t)lock;
    schedule_point_blocking(&op, spin_lock_ready);
    take_spin_lock(lock, CALLER);
    schedule_done(&op);
    return 0;
}

int pthread_spin_trylock_hook(pthread_spinlock_t *lock);
FIBER_STUB(pthread_spin_trylock);
int pthread_spin_trylock_hook(pthread_spinlock_t *lock)
{
    UNLESS_ON(pthread_spin_trylock(lock));
    access_check(ADDRESS(lock), sizeof *lock, true, CALLER);
    struct op op = op_make(OP_SPIN_TRYLOCK, OP_READS | OP_WRITES, (const void *)lock, CALLER);
    spin_point(&op, CALLER);
    if (*lock != SPIN_FREE) {
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
        spin_note_read(CALLER, ADDRESS(lock), ADDRESS(lock), (uint32_t)*lock, 4);
        schedule_done(&op);
        return EBUSY;
    }
    take_spin_lock(lock, CALLER);
    schedule_done(&op);
    return 0;
}

int pthread_spin_unlock_hook(pthread_spinlock_t *lock);
FIBER_STUB(pthread_spin_unlock);
int pthread_spin_unlock_hook(pthread_spinlock_t *lock)
{
    UNLESS_ON(pthread_spin_unlock(lock));
    access_check(ADDRESS(lock), sizeof *lock, true, CALLER);
    if (*lock != -rt.current)
        failure_raise(FAILURE_MISUSE,
                      &(struct failure_details){.pc = CALLER, .address = ADDRESS(lock)}, "%s",
                      *lock == SPIN_FREE ? "unlock of a spin lock that is not locked"
                                         : "unlock of a spin lock that another thread holds");
    struct op op =
        op_make(OP_SPIN_UNLOCK, OP_WRITES | OP_MAY_RELEASE, (const void *)lock, CALLER);
    schedule_point(&op);
    *lock = SPIN_FREE;
    race_release(rt.current, ADDRESS(lock));
    lock_note_released(ADDRESS(lock));
    schedule_done(&op);
    return 0;
}

/* --- once: glibc has 0 fresh, 1 running, 2 done --- */

enum { ONCE_FRESH = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 };

static bool once_ready(struct thread *self)
{
    return *(int *)self->wait_object != ONCE_RUNNING;
}

int once_call(int *control, void (*routine)(void), uint64_t pc)
{
    access_check(ADDRESS(control), sizeof *control, true, pc);
    struct op op = op_make(OP_ONCE_BEGIN, OP_READS | OP_WRITES | OP_MAY_BLOCK, control, pc);
    rt.self->wait_object = control;
    schedule_point_blocking(&op, once_ready);
    bool first = *control == ONCE_FRESH;
    if (first)
        *control = ONCE_RUNNING;
    else
        op.flags &= (uint16_t)~OP_WRITES;
    race_acquire(rt.current, ADDRESS(control));
    schedule_done(&op);
    if (!first)
        return 0;
    routine();
    op = op_make(OP_ONCE_END, OP_WRITES | OP_MAY_RELEASE, control, pc);
    schedule_point(&op);
    *control = ONCE_DONE;
    race_release(rt.current, ADDRESS(control));
    schedule_done(&op);
    return 0;
}

int pthread_once_hook(pthread_once_t *control, void (*routine)(void));
FIBER_STUB(pthread_once);
int pthread_once_hook(pthread_once_t *control, void (*routine)(void))
{
    UNLESS_ON(pthread_once(control, routine));
    if (is_language_support(CALLER)) { /* the unwinder's or a locale's own first use */
        rt.on = false;
        int error = real.pthread_once(control, routine);
        rt.on = true;
        return error;
    }
    return once_call(control, routine, CALLER);
}
