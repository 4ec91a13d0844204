/* stdio calls that synchronise threads: flockfile and its relatives (POSIX flockfile(3p)),
 * eventfd_read and eventfd_write, which make their system calls inside libc.
 *
 * A stream's lock is glibc's own, {lock, count, owner} behind FILE._lock; waiting for it is an
 * operation, and libc's flockfile is called once it will not wait.
 *
 * Functions that take the lock for one call (printf, putc) can wait only if the program holds
 * stream locks for longer. So such a call is two operations, lock and unlock, once a thread has
 * called flockfile while other threads existed; the search learns that. libc's function runs in
 * the step of the unlock, so no other operation may come in between. What such a call accesses
 * in the stream is ordered with other such calls, but not with functions that take no lock
 * (putc_unlocked). */
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/race/race.h"

struct stream_lock {
    int lock;
    int count;
    void *owner; /* thread pointer */
};

static struct stream_lock *lock_of(FILE *file)
{
    return (struct stream_lock *)file->_lock;
}

static bool is_mine(const struct stream_lock *lock)
{
    return lock->owner == (void *)rt.self->fiber.tls;
}

static bool is_free(struct thread *self)
{
    return !((const struct stream_lock *)self->wait.object)->owner;
}

static void stream_taken(struct stream_lock *lock, uint64_t pc)
{
    race_acquire(rt.current, (uint64_t)(uintptr_t)lock);
    lock_note_taken((uint64_t)(uintptr_t)lock, pc, false);
}

static void learn_locks(void)
{
    if (rt.used > 1)
        shared_learn_state(SHARED_STREAMS);
}

static void lock_stream(FILE *file, uint64_t pc)
{
    NEXT(void, flockfile, (FILE *));
    struct stream_lock *lock = lock_of(file);
    struct op op = op_make(OP_MUTEX_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, lock, pc);
    rt.self->wait.object = lock;
    rt.self->time.deadline = NEVER;
    schedule_point_blocking(&op, is_free);
    next(file);
    stream_taken(lock, pc);
    schedule_done(&op);
}

EXPORT void flockfile(FILE *file)
{
    NEXT(void, flockfile, (FILE *));
    if (!under_control() || is_mine(lock_of(file))) {
        next(file);
        return;
    }
    learn_locks();
    lock_stream(file, CALLER);
}

EXPORT int ftrylockfile(FILE *file)
{
    NEXT(int, ftrylockfile, (FILE *));
    struct stream_lock *lock = lock_of(file);
    if (!under_control() || is_mine(lock))
        return next(file);
    learn_locks();
    struct op op = op_make(OP_MUTEX_TRYLOCK, OP_READS | OP_WRITES, lock, CALLER);
    schedule_point(&op);
    int failed = next(file);
    if (failed)
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
    else
        stream_taken(lock, CALLER);
    schedule_done(&op);
    return failed;
}

/* Mazur does not rely on how libc counts: it checks afterwards whether the thread still holds
 * the stream. */
static void unlock_stream(FILE *file, uint64_t pc)
{
    NEXT(void, funlockfile, (FILE *));
    struct stream_lock *lock = lock_of(file);
    struct op op = op_make(OP_MUTEX_UNLOCK, OP_WRITES | OP_MAY_RELEASE, lock, pc);
    schedule_point(&op);
    next(file);
    if (is_mine(lock)) {
        op.flags = OP_READS;
    } else {
        race_release(rt.current, (uint64_t)(uintptr_t)lock);
        lock_note_released((uint64_t)(uintptr_t)lock);
    }
    schedule_done(&op);
}

EXPORT void funlockfile(FILE *file)
{
    NEXT(void, funlockfile, (FILE *));
    if (!under_control()) {
        next(file);
        return;
    }
    if (!is_mine(lock_of(file)))
        failure_raise(
            FAILURE_MISUSE,
            &(struct failure_details){.pc = CALLER, .address = (uint64_t)(uintptr_t)file},
            "funlockfile of a stream that the thread does not hold");
    unlock_stream(file, CALLER);
}

/* --- The lock for the time of one call --- */

/* __fsetlocking(3): the caller locks the stream. */
#define LOCKED_BY_CALLER 0x8000

/* Can the call have to wait for the lock? */
static bool may_wait(FILE *file)
{
    const struct stream_lock *lock = lock_of(file);
    if (rt.used == 1 || !lock || is_mine(lock) || (file->_flags & LOCKED_BY_CALLER))
        return false;
    if (lock->owner) /* locked before there were other threads */
        learn_locks();
    return lock->owner || shared_is_learned(SHARED_STREAMS);
}

static void access_stream(FILE *file, bool changes, uint64_t pc)
{
    if (!changes) {
        caller_reads_guarded(&file->_flags, sizeof file->_flags, pc);
    } else if (file->_flags & LOCKED_BY_CALLER) {
        caller_writes(&file->_flags, sizeof file->_flags, pc);
    } else {
        caller_writes_guarded(&file->_flags, sizeof file->_flags, pc);
        caller_writes_guarded(&file->_IO_read_ptr, sizeof file->_IO_read_ptr, pc);
        caller_writes_guarded(&file->_IO_write_ptr, sizeof file->_IO_write_ptr, pc);
    }
}

void stream_hold(FILE *file, bool changes, uint64_t pc)
{
    bool waits = may_wait(file);
    if (UNLIKELY(waits))
        lock_stream(file, pc);
    access_stream(file, changes, pc);
    if (UNLIKELY(waits))
        unlock_stream(file, pc);
}

/* libc takes the lock of each stream in turn. Mazur knows only the standard ones. */
void streams_hold_all(uint64_t pc)
{
    FILE *const standard[] = {stdin, stdout, stderr};
    if (rt.used > 1 && shared_is_learned(SHARED_STREAMS))
        failure_uncontrolled("fflush(NULL)");
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (standard[i])
            stream_hold(standard[i], standard[i] != stdin, pc);
}

/* --- eventfd(2): "These functions perform the read and write operations on an eventfd" --- */

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    NEXT(int, eventfd_read, (int, eventfd_t *));
    if (!under_control())
        return next(fd, value);
    return descriptor_read(fd, value, sizeof *value, false, CALLER) == sizeof *value ? 0 : -1;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    NEXT(int, eventfd_write, (int, eventfd_t));
    if (!under_control())
        return next(fd, value);
    return descriptor_write(fd, &value, sizeof value, CALLER) == sizeof value ? 0 : -1;
}
