/* Mutexes (POSIX pthread_mutex_lock(3p), pthread_mutex_consistent(3p)).
 *
 * The state lives in the program's own object, in the fields where glibc keeps it: so a static
 * initialiser works unchanged, the snapshot resets the state, gdb shows it, and it ends with
 * its memory. Owners are slot + 1. glibc's mark of a destroyed mutex, kind -1, is kept.
 *
 * When the owner of a robust mutex ends, the lock word gets glibc's mark for that. The next
 * owner gets EOWNERDEAD and holds the mutex in an inconsistent state until it calls
 * pthread_mutex_consistent(). If it unlocks the mutex before that, every later lock fails with
 * ENOTRECOVERABLE. `__spins` keeps this state.
 *
 * Errors that POSIX defines are returned; what POSIX calls undefined is reported as misuse. */
#include <errno.h>
#include <sys/syscall.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/hooks/threads/timed_wait.h"
#include "runtime/race/race.h"
#include "runtime/waiting/spin.h"

#define KIND(mutex)  ((mutex)->__data.__kind & 3)
#define IS_DESTROYED (-1)
#define ROBUST       16         /* glibc's bit in the kind */
#define KIND_BITS    0x3ff      /* all flags that glibc has */
#define OWNER_DIED   0x40000000 /* in the lock word, the kernel's value */

enum { CONSISTENT = 0, INCONSISTENT = 1, LOST = 2 };

/* --- Locks held, for reports --- */

void lock_note_taken(uint64_t address, uint64_t pc, bool shared)
{
    struct thread *self = rt.self;
    if (self->nlocks < LOCKS_MAX)
        self->lock[self->nlocks] = (struct held_lock){address, pc, shared, false};
    self->nlocks++;
}

void lock_note_released(uint64_t address)
{
    struct thread *self = rt.self;
    uint32_t n = self->nlocks < LOCKS_MAX ? self->nlocks : LOCKS_MAX;
    bool known = self->nlocks > LOCKS_MAX; /* otherwise it was locked before main */
    for (uint32_t i = n; i-- > 0;) {
        if (self->lock[i].address != address)
            continue;
        for (uint32_t j = i + 1; j < n; j++)
            self->lock[j - 1] = self->lock[j];
        known = true;
        break;
    }
    if (known)
        self->nlocks--;
}

static bool holds_lock(uint64_t address)
{
    const struct thread *self = rt.self;
    for (uint32_t i = 0; i < self->nlocks && i < LOCKS_MAX; i++)
        if (self->lock[i].address == address)
            return true;
    return false;
}

/* --- Mutexes --- */

static void check_kind(const pthread_mutex_t *mutex, const char *call, uint64_t pc)
{
    int kind = mutex->__data.__kind;
    if (UNLIKELY(kind & ~KIND_BITS))
        failure_misuse(mutex, pc, "%s of a mutex that %s", call,
                       kind == IS_DESTROYED ? "was destroyed" : "is not initialised");
}

static void check_mutex(const pthread_mutex_t *mutex, const char *call, uint64_t pc)
{
    access_check(ADDRESS(mutex), sizeof *mutex, true, pc);
    check_kind(mutex, call, pc);
}

/* The operation was picked. */
static void use_mutex(const pthread_mutex_t *mutex, const char *call, uint64_t pc)
{
    object_use(mutex, sizeof *mutex, pc);
    check_kind(mutex, call, pc);
}

bool mutex_is_held(const pthread_mutex_t *mutex)
{
    return (mutex->__data.__lock & ~OWNER_DIED) != 0;
}

static bool mutex_ready(struct thread *self)
{
    return self->time.timed_out || !mutex_is_held(self->wait.object);
}

/* pthread_mutex_lock(3p): EOWNERDEAD comes with the lock, ENOTRECOVERABLE without. */
int mutex_take(pthread_mutex_t *mutex, uint32_t count, uint64_t pc)
{
    race_acquire(rt.current, ADDRESS(mutex));
    use_mutex(mutex, "lock", pc);
    if (UNLIKELY(mutex->__data.__spins == LOST && (mutex->__data.__kind & ROBUST)))
        return ENOTRECOVERABLE;
    bool died = mutex->__data.__lock == OWNER_DIED;
    if (UNLIKELY(died))
        mutex->__data.__spins = INCONSISTENT;
    mutex->__data.__lock = 1;
    mutex->__data.__owner = rt.current + 1;
    mutex->__data.__count = count;
    lock_note_taken(ADDRESS(mutex), pc, false);
    struct thread *self = rt.self;
    if (UNLIKELY(mutex->__data.__kind & ROBUST) && self->nlocks <= LOCKS_MAX)
        self->lock[self->nlocks - 1].robust = true;
    return died ? EOWNERDEAD : 0;
}

uint32_t mutex_give(pthread_mutex_t *mutex, uint64_t pc)
{
    use_mutex(mutex, "unlock", pc);
    uint32_t count = mutex->__data.__count;
    if (UNLIKELY(mutex->__data.__kind & ROBUST) && mutex->__data.__spins == INCONSISTENT)
        mutex->__data.__spins = LOST;
    mutex->__data.__lock = 0;
    mutex->__data.__owner = 0;
    mutex->__data.__count = 0;
    race_release(rt.current, ADDRESS(mutex));
    lock_note_released(ADDRESS(mutex));
    return count;
}

/* The operation that ends a thread includes the robust mutexes that it holds: other threads see
 * it as an unlock of each. */
void mutexes_end_with_thread(struct op *op)
{
    struct thread *self = rt.self;
    if (self->nlocks > LOCKS_MAX)
        op->flags |= OP_GLOBAL;
    for (uint32_t i = 0; i < self->nlocks && i < LOCKS_MAX; i++) {
        if (self->lock[i].robust)
            op_add_object(op, self->lock[i].address);
    }
}

void mutexes_leave_behind(void)
{
    struct thread *self = rt.self;
    for (uint32_t i = 0; i < self->nlocks && i < LOCKS_MAX; i++) {
        pthread_mutex_t *mutex = (pthread_mutex_t *)(uintptr_t)self->lock[i].address;
        if (!self->lock[i].robust)
            continue;
        access_check(ADDRESS(mutex), sizeof *mutex, true, self->lock[i].pc);
        mutex->__data.__lock = OWNER_DIED;
        mutex->__data.__owner = 0;
        race_release(rt.current, ADDRESS(mutex));
    }
    if (UNLIKELY(self->nlocks > LOCKS_MAX))
        failure_uncontrolled("a thread that ends with more than 16 locks held");
}

bool mutex_is_mine(const pthread_mutex_t *mutex)
{
    return mutex_is_held(mutex) && mutex->__data.__owner == rt.current + 1;
}

/* The owner locks again. Returns 0 (done: recursive), an error number, or -1 if it would have
 * to wait. */
static int lock_again(pthread_mutex_t *mutex, bool timed, uint64_t pc)
{
    switch (KIND(mutex)) {
    case PTHREAD_MUTEX_RECURSIVE:
        mutex->__data.__count++;
        return 0;
    case PTHREAD_MUTEX_ERRORCHECK:
        return EDEADLK;
    default:
        if (!timed)
            failure_misuse(mutex, pc, "a thread locks a normal mutex that it already holds");
        return -1;
    }
}

int mutex_lock(pthread_mutex_t *mutex, uint64_t deadline, uint64_t pc)
{
    check_mutex(mutex, "lock", pc);
    if (UNLIKELY(mutex_is_mine(mutex))) {
        int error = lock_again(mutex, deadline != NEVER, pc);
        if (error >= 0)
            return error;
    }
    struct op op = op_make(OP_MUTEX_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, mutex, pc);
    prepare_wait(&op, mutex, deadline);
    schedule_point_blocking(&op, mutex_ready);
    if (wait_timed_out(deadline)) {
        use_mutex(mutex, "lock", pc);
        op.flags &= (uint16_t)~OP_WRITES;
        return end_timed_out(&op);
    }
    int error = mutex_take(mutex, 0, pc);
    schedule_done(&op); /* the same form whether it was recoverable or not: optimal_races.c */
    return error;
}

int mutex_trylock(pthread_mutex_t *mutex, uint64_t pc)
{
    check_mutex(mutex, "trylock", pc);
    if (mutex_is_mine(mutex) && KIND(mutex) == PTHREAD_MUTEX_RECURSIVE)
        return lock_again(mutex, false, pc);
    struct op op = op_make(OP_MUTEX_TRYLOCK, OP_READS | OP_WRITES, mutex, pc);
    spin_point(&op, 0, pc);
    if (mutex_is_held(mutex)) {
        use_mutex(mutex, "trylock", pc);
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
        if (UNLIKELY(rt.recording))
            record_facts.result = EBUSY;
        spin_note_read(pc, ADDRESS(&mutex->__data.__lock), ADDRESS(mutex), 1, 4);
        schedule_done(&op);
        return EBUSY;
    }
    int error = mutex_take(mutex, 0, pc);
    if (UNLIKELY(error == ENOTRECOVERABLE))
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
    schedule_done(&op);
    return error;
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
        if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK ||
            (mutex->__data.__kind & ROBUST))
            return EPERM;
        failure_misuse(mutex, pc, "%s",
                       mutex->__data.__lock ? "unlock of a mutex that another thread holds"
                                            : "unlock of a mutex that is not locked");
    }
    struct op op = op_make(OP_MUTEX_UNLOCK, OP_WRITES | OP_MAY_RELEASE, mutex, pc);
    schedule_point(&op);
    mutex_give(mutex, pc);
    schedule_done(&op);
    return 0;
}

int pthread_mutex_init_hook(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
FIBER_STUB(pthread_mutex_init);
int pthread_mutex_init_hook(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    UNLESS_ON(pthread_mutex_init(mutex, attributes));
    if (attributes)
        caller_reads(attributes, sizeof *attributes, CALLER);
    access_check(ADDRESS(mutex), sizeof *mutex, true, CALLER);
    struct op op = op_make(OP_MUTEX_INIT, OP_WRITES, mutex, CALLER);
    schedule_point(&op);
    object_init(mutex, sizeof *mutex, CALLER);
    if (holds_lock(ADDRESS(mutex))) /* the memory itself may hold anything */
        failure_misuse(mutex, CALLER, "initialisation of a mutex that is locked");
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
    use_mutex(mutex, "destroy", CALLER);
    if (mutex_is_held(mutex))
        failure_misuse(mutex, CALLER, "destruction of a mutex that is held by T%d",
                       mutex->__data.__owner - 1);
    mutex->__data.__kind = IS_DESTROYED;
    schedule_done(&op);
    return 0;
}

/* A constructor locked it before main with glibc's own functions, which identify the owner by
 * its kernel thread id. main may unlock it, so the owner becomes the first thread. */
static int call_outside(int (*function)(pthread_mutex_t *), pthread_mutex_t *mutex)
{
    int self = (int)raw_syscall1(SYS_gettid, 0);
    if (!rt.controlled || rt.search)
        return function(mutex);
    bool counts = KIND(mutex) == PTHREAD_MUTEX_RECURSIVE; /* glibc: from 1, Mazur: from 0 */
    if (mutex->__data.__owner == 1 && mutex_is_held(mutex)) {
        mutex->__data.__owner = self;
        mutex->__data.__count += counts;
    }
    int result = function(mutex);
    if (mutex->__data.__owner == self) {
        mutex->__data.__owner = 1;
        mutex->__data.__count -= counts;
    }
    return result;
}

#define UNLESS_ON_MUTEX(call)                                                                  \
    do {                                                                                       \
        if (UNLIKELY(!under_control())) {                                                      \
            real_prepare();                                                                    \
            return call_outside(real.call, mutex);                                             \
        }                                                                                      \
    } while (0)

int pthread_mutex_lock_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_lock);
int pthread_mutex_lock_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON_MUTEX(pthread_mutex_lock);
    return mutex_lock(mutex, NEVER, CALLER);
}

TIMED_HOOKS(pthread_mutex_timedlock, pthread_mutex_clocklock, pthread_mutex_t, mutex_lock)

int pthread_mutex_trylock_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_trylock);
int pthread_mutex_trylock_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON_MUTEX(pthread_mutex_trylock);
    return mutex_trylock(mutex, CALLER);
}

int pthread_mutex_unlock_hook(pthread_mutex_t *mutex);
FIBER_STUB(pthread_mutex_unlock);
int pthread_mutex_unlock_hook(pthread_mutex_t *mutex)
{
    UNLESS_ON_MUTEX(pthread_mutex_unlock);
    return mutex_unlock(mutex, CALLER);
}

/* pthread_mutex_consistent(3p): only the owner can call it, and no other thread sees the state
 * while the mutex is held, so it is not an operation. */
EXPORT int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    UNLESS_ON(pthread_mutex_consistent(mutex));
    check_mutex(mutex, "pthread_mutex_consistent", CALLER);
    if (!(mutex->__data.__kind & ROBUST) || !mutex_is_mine(mutex) ||
        mutex->__data.__spins != INCONSISTENT)
        return EINVAL;
    mutex->__data.__spins = CONSISTENT;
    return 0;
}
