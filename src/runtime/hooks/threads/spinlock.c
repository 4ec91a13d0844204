/* Spin locks (POSIX pthread_spin_lock(3p)). On x86 glibc stores 1 in a free lock. Mazur stores
 * -1 - s in a lock that the thread in slot s holds. So no state is 0, which is what an
 * uninitialised lock often holds. */
#include <errno.h>

#include "runtime/access/access.h"
#include "runtime/access/objects.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/race/race.h"
#include "runtime/waiting/spin.h"

#define SPIN_FREE      1
#define SPIN_DESTROYED 0x5de57201

static void raise_misuse(const pthread_spinlock_t *lock, uint64_t pc, const char *call,
                         const char *what)
{
    failure_misuse(lock, pc, "%s of a spin lock that %s", call, what);
}

static void check_state(const pthread_spinlock_t *lock, const char *call, uint64_t pc)
{
    int state = *lock;
    if (UNLIKELY(state == SPIN_DESTROYED))
        raise_misuse(lock, pc, call, "was destroyed");
    if (UNLIKELY(state != SPIN_FREE && (state >= 0 || state < -THREADS_MAX)))
        raise_misuse(lock, pc, call, "is not initialised");
}

static void check_lock(const pthread_spinlock_t *lock, const char *call, uint64_t pc)
{
    access_check(ADDRESS(lock), sizeof *lock, true, pc);
    check_state(lock, call, pc);
}

/* The operation was picked. */
static void use_lock(const pthread_spinlock_t *lock, const char *call, uint64_t pc)
{
    object_use(lock, sizeof *lock, pc);
    check_state(lock, call, pc);
}

int spin_lock_owner(const volatile int *lock)
{
    return *lock < 0 ? -1 - *lock : -1;
}

static bool spin_lock_ready(struct thread *self)
{
    return spin_lock_owner(self->wait.object) < 0;
}

static void take_spin_lock(pthread_spinlock_t *lock, uint64_t pc)
{
    race_acquire(rt.current, ADDRESS(lock));
    use_lock(lock, "lock", pc);
    *lock = -1 - rt.current;
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
    object_init(lock, sizeof *lock, CALLER);
    *lock = SPIN_FREE;
    race_forget(ADDRESS(lock));
    schedule_done(&op);
    return 0;
}

int pthread_spin_destroy_hook(pthread_spinlock_t *lock);
FIBER_STUB(pthread_spin_destroy);
int pthread_spin_destroy_hook(pthread_spinlock_t *lock)
{
    UNLESS_ON(pthread_spin_destroy(lock));
    check_lock(lock, "destruction", CALLER);
    struct op op = op_make(OP_SPIN_DESTROY, OP_WRITES, (const void *)lock, CALLER);
    schedule_point(&op);
    use_lock(lock, "destruction", CALLER);
    if (*lock != SPIN_FREE)
        raise_misuse(lock, CALLER, "destruction", "is held");
    *lock = SPIN_DESTROYED;
    schedule_done(&op);
    return 0;
}

int pthread_spin_lock_hook(pthread_spinlock_t *lock);
FIBER_STUB(pthread_spin_lock);
int pthread_spin_lock_hook(pthread_spinlock_t *lock)
{
    UNLESS_ON(pthread_spin_lock(lock));
    check_lock(lock, "lock", CALLER);
    if (spin_lock_owner(lock) == rt.current)
        failure_misuse(lock, CALLER, "a thread locks a spin lock that it already holds");
    struct op op =
        op_make(OP_SPIN_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, (const void *)lock, CALLER);
    rt.self->wait.object = (void *)(uintptr_t)lock;
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
    check_lock(lock, "trylock", CALLER);
    struct op op = op_make(OP_SPIN_TRYLOCK, OP_READS | OP_WRITES, (const void *)lock, CALLER);
    spin_point(&op, 0, CALLER);
    if (spin_lock_owner(lock) >= 0) {
        use_lock(lock, "trylock", CALLER);
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
    check_lock(lock, "unlock", CALLER);
    if (spin_lock_owner(lock) != rt.current)
        raise_misuse(lock, CALLER, "unlock",
                     *lock == SPIN_FREE ? "is not locked" : "another thread holds");
    struct op op =
        op_make(OP_SPIN_UNLOCK, OP_WRITES | OP_MAY_RELEASE, (const void *)lock, CALLER);
    schedule_point(&op);
    use_lock(lock, "unlock", CALLER);
    *lock = SPIN_FREE;
    race_release(rt.current, ADDRESS(lock));
    lock_note_released(ADDRESS(lock));
    schedule_done(&op);
    return 0;
}
