/* Read-write locks (POSIX pthread_rwlock_rdlock(3p) and its neighbours).
 *
 * A reader may take the lock whenever no writer holds it, so the search explores both orders of
 * a waiting writer and a new reader. Only glibc's PREFER_WRITER_NONRECURSIVE kind makes readers
 * wait behind waiting writers; there a writer that can't take the lock first registers as
 * waiting, which is a separate operation. The state is in the program's object: __readers
 * counts readers in glibc's unit (the lower bits are flags, which glibc leaves set in a lock
 * that was used before main), __cur_writer is the writer's slot + 1, __pad3 counts waiting
 * writers of that kind.
 *
 * Race clocks: writers release into the lock, readers into the lock + 1, which only writers
 * acquire; readers do not order each other. */
#include <errno.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/hooks/threads/timed_wait.h"
#include "runtime/memory/heap.h"
#include "runtime/race/race.h"

#define READER    8                    /* one reader in __readers */
#define DESTROYED UINT32_C(0xdecea5ed) /* in __writers, otherwise unused */

static void check_state(const pthread_rwlock_t *lock, const char *call, uint64_t pc)
{
    uint32_t mark = lock->__data.__writers;
    if (UNLIKELY(mark == DESTROYED || mark == (uint32_t)HEAP_FILL))
        failure_misuse(lock, pc, "%s of a read-write lock that %s", call,
                       mark == DESTROYED ? "was destroyed" : "is not initialised");
}

static void check_lock(const pthread_rwlock_t *lock, const char *call, uint64_t pc)
{
    access_check(ADDRESS(lock), sizeof *lock, true, pc);
    check_state(lock, call, pc);
}

/* The operation was picked. */
static void use_lock(const pthread_rwlock_t *lock, const char *call, uint64_t pc)
{
    object_use(lock, sizeof *lock, pc);
    check_state(lock, call, pc);
}

static bool prefers_writers(const pthread_rwlock_t *lock)
{
    return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool is_free(const pthread_rwlock_t *lock)
{
    return lock->__data.__cur_writer == 0 && lock->__data.__readers < READER;
}

static bool read_ready(struct thread *self)
{
    const pthread_rwlock_t *lock = self->wait.object;
    bool behind_writers = prefers_writers(lock) && lock->__data.__pad3 > 0;
    return self->time.timed_out || (lock->__data.__cur_writer == 0 && !behind_writers);
}

static bool write_ready(struct thread *self)
{
    const pthread_rwlock_t *lock = self->wait.object;
    return self->time.timed_out || is_free(lock);
}

static void enter_rwlock(pthread_rwlock_t *lock, bool write, uint64_t pc)
{
    if (write) {
        lock->__data.__cur_writer = rt.current + 1;
        race_acquire(rt.current, ADDRESS(lock) + 1);
    } else {
        lock->__data.__readers += READER;
    }
    race_acquire(rt.current, ADDRESS(lock));
    object_use(lock, sizeof *lock, pc);
    lock_note_taken(ADDRESS(lock), pc, !write);
}

/* If the lock is taken, `waiting` is incremented, unless it is NULL. */
static int try_lock_rw(pthread_rwlock_t *lock, bool write, uint64_t pc, unsigned *waiting)
{
    check_lock(lock, write ? "try write lock" : "try read lock", pc);
    struct op op =
        op_make(write ? OP_RWLOCK_TRYWRITE : OP_RWLOCK_TRYREAD, OP_READS | OP_WRITES, lock, pc);
    schedule_point(&op);
    check_lock(lock, write ? "try write lock" : "try read lock", pc);
    rt.self->wait.object = lock;
    rt.self->time.timed_out = false;
    if (!(write ? write_ready(rt.self) : read_ready(rt.self))) {
        object_use(lock, sizeof *lock, pc);
        op.flags |= OP_FAILED;
        if (waiting)
            ++*waiting;
        else
            op.flags &= (uint16_t)~OP_WRITES;
        if (UNLIKELY(rt.recording))
            record_facts.result = EBUSY;
        schedule_done(&op);
        return EBUSY;
    }
    enter_rwlock(lock, write, pc);
    schedule_done(&op);
    return 0;
}

static int lock_rw(pthread_rwlock_t *lock, bool write, uint64_t deadline, uint64_t pc)
{
    check_lock(lock, write ? "write lock" : "read lock", pc);
    if (lock->__data.__cur_writer == rt.current + 1)
        return EDEADLK;
    struct op op = op_make(write ? OP_RWLOCK_WRITE : OP_RWLOCK_READ,
                           OP_READS | OP_WRITES | OP_MAY_BLOCK, lock, pc);
    bool waits = write && prefers_writers(lock);
    if (waits && try_lock_rw(lock, true, pc, &lock->__data.__pad3) == 0)
        return 0;
    prepare_wait(&op, lock, deadline);
    schedule_point_blocking(&op, write ? write_ready : read_ready);
    check_lock(lock, write ? "write lock" : "read lock", pc);
    lock->__data.__pad3 -= waits;
    if (wait_timed_out(deadline)) {
        object_use(lock, sizeof *lock, pc);
        return end_timed_out(&op);
    }
    enter_rwlock(lock, write, pc);
    schedule_done(&op);
    return 0;
}

static int lock_to_read(pthread_rwlock_t *lock, uint64_t deadline, uint64_t pc)
{
    return lock_rw(lock, false, deadline, pc);
}

static int lock_to_write(pthread_rwlock_t *lock, uint64_t deadline, uint64_t pc)
{
    return lock_rw(lock, true, deadline, pc);
}

static bool holds_rwlock(const pthread_rwlock_t *lock)
{
    const struct thread *self = rt.self;
    if (lock->__data.__cur_writer == rt.current + 1 || self->nlocks > LOCKS_MAX)
        return true;
    for (uint32_t i = 0; i < self->nlocks; i++)
        if (self->lock[i].address == ADDRESS(lock))
            return true;
    return false;
}

static int unlock_rw(pthread_rwlock_t *lock, uint64_t pc)
{
    check_lock(lock, "unlock", pc);
    if (!holds_rwlock(lock))
        failure_misuse(lock, pc, "unlock of a read-write lock that the thread does not hold");
    struct op op = op_make(OP_RWLOCK_UNLOCK, OP_WRITES | OP_MAY_RELEASE, lock, pc);
    schedule_point(&op);
    use_lock(lock, "unlock", pc);
    if (lock->__data.__cur_writer == rt.current + 1) {
        lock->__data.__cur_writer = 0;
        race_release(rt.current, ADDRESS(lock));
    } else {
        lock->__data.__readers -= READER;
        race_release(rt.current, ADDRESS(lock) + 1);
    }
    lock_note_released(ADDRESS(lock));
    schedule_done(&op);
    return 0;
}

int pthread_rwlock_init_hook(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes);
FIBER_STUB(pthread_rwlock_init);
int pthread_rwlock_init_hook(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    UNLESS_ON(pthread_rwlock_init(lock, attributes));
    if (attributes)
        caller_reads(attributes, sizeof *attributes, CALLER);
    access_check(ADDRESS(lock), sizeof *lock, true, CALLER);
    struct op op = op_make(OP_RWLOCK_INIT, OP_WRITES, lock, CALLER);
    schedule_point(&op);
    object_init(lock, sizeof *lock, CALLER);
    int error = real.pthread_rwlock_init(lock, attributes);
    schedule_done(&op);
    return error;
}

int pthread_rwlock_destroy_hook(pthread_rwlock_t *lock);
FIBER_STUB(pthread_rwlock_destroy);
int pthread_rwlock_destroy_hook(pthread_rwlock_t *lock)
{
    UNLESS_ON(pthread_rwlock_destroy(lock));
    check_lock(lock, "destroy", CALLER);
    struct op op = op_make(OP_RWLOCK_DESTROY, OP_WRITES, lock, CALLER);
    schedule_point(&op);
    use_lock(lock, "destroy", CALLER);
    if (!is_free(lock))
        failure_misuse(lock, CALLER, "destruction of a read-write lock that is held");
    lock->__data.__writers = DESTROYED;
    schedule_done(&op);
    return 0;
}

int pthread_rwlock_rdlock_hook(pthread_rwlock_t *lock);
FIBER_STUB(pthread_rwlock_rdlock);
int pthread_rwlock_rdlock_hook(pthread_rwlock_t *lock)
{
    UNLESS_ON(pthread_rwlock_rdlock(lock));
    return lock_to_read(lock, NEVER, CALLER);
}

int pthread_rwlock_tryrdlock_hook(pthread_rwlock_t *lock);
FIBER_STUB(pthread_rwlock_tryrdlock);
int pthread_rwlock_tryrdlock_hook(pthread_rwlock_t *lock)
{
    UNLESS_ON(pthread_rwlock_tryrdlock(lock));
    return try_lock_rw(lock, false, CALLER, NULL);
}

TIMED_HOOKS(pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock, pthread_rwlock_t,
            lock_to_read)

int pthread_rwlock_wrlock_hook(pthread_rwlock_t *lock);
FIBER_STUB(pthread_rwlock_wrlock);
int pthread_rwlock_wrlock_hook(pthread_rwlock_t *lock)
{
    UNLESS_ON(pthread_rwlock_wrlock(lock));
    return lock_to_write(lock, NEVER, CALLER);
}

int pthread_rwlock_trywrlock_hook(pthread_rwlock_t *lock);
FIBER_STUB(pthread_rwlock_trywrlock);
int pthread_rwlock_trywrlock_hook(pthread_rwlock_t *lock)
{
    UNLESS_ON(pthread_rwlock_trywrlock(lock));
    return try_lock_rw(lock, true, CALLER, NULL);
}

TIMED_HOOKS(pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock, pthread_rwlock_t,
            lock_to_write)

int pthread_rwlock_unlock_hook(pthread_rwlock_t *lock);
FIBER_STUB(pthread_rwlock_unlock);
int pthread_rwlock_unlock_hook(pthread_rwlock_t *lock)
{
    UNLESS_ON(pthread_rwlock_unlock(lock));
    return unlock_rw(lock, CALLER);
}
