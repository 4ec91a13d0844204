/* stdio calls that synchronise threads: flockfile and its relatives (POSIX flockfile(3p)),
 * dprintf to a pipe or socket, eventfd_read and eventfd_write, which make their system calls
 * inside libc.
 *
 * A stream's lock is glibc's own, {lock, count, owner} behind FILE._lock; waiting for it is an
 * operation, and libc's flockfile is called once it will not wait. Functions that take the lock
 * for one call (printf, putc) are not operations: Mazur can't make them wait, so the result of
 * a program that holds a stream's lock says so. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/files/descriptors.h"
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

#define LISTED_AS "flockfile"

EXPORT void flockfile(FILE *file)
{
    NEXT(void, flockfile, (FILE *));
    struct stream_lock *lock = lock_of(file);
    if (!rt.on || is_mine(lock)) {
        next(file);
        return;
    }
    failure_uncontrolled(LISTED_AS);
    struct op op = op_make(OP_MUTEX_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, lock, CALLER);
    rt.self->wait.object = lock;
    rt.self->time.deadline = NEVER;
    schedule_point_blocking(&op, is_free);
    next(file);
    stream_taken(lock, CALLER);
    schedule_done(&op);
}

EXPORT int ftrylockfile(FILE *file)
{
    NEXT(int, ftrylockfile, (FILE *));
    struct stream_lock *lock = lock_of(file);
    if (!rt.on || is_mine(lock))
        return next(file);
    failure_uncontrolled(LISTED_AS);
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
EXPORT void funlockfile(FILE *file)
{
    NEXT(void, funlockfile, (FILE *));
    struct stream_lock *lock = lock_of(file);
    if (!rt.on) {
        next(file);
        return;
    }
    if (!is_mine(lock))
        failure_raise(
            FAILURE_MISUSE,
            &(struct failure_details){.pc = CALLER, .address = (uint64_t)(uintptr_t)file},
            "funlockfile of a stream that the thread does not hold");
    struct op op = op_make(OP_MUTEX_UNLOCK, OP_WRITES | OP_MAY_RELEASE, lock, CALLER);
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

/* --- dprintf --- */

static int print_text(int fd, const char *format, va_list list, uint64_t pc)
{
    NEXT(int, vdprintf, (int, const char *restrict, va_list));
    if (rt.on)
        number_look(fd, pc);
    if (!rt.on || !descriptor_is_inside(fd))
        return next(fd, format, list);
    char *text;
    int length = vasprintf(&text, format, list);
    if (length < 0)
        return -1;
    ssize_t result = descriptor_write(fd, text, (size_t)length, pc);
    free(text);
    return (int)result;
}

EXPORT int vdprintf(int fd, const char *restrict format, va_list list)
{
    return print_text(fd, format, list, CALLER);
}

EXPORT int dprintf(int fd, const char *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    int result = print_text(fd, format, list, CALLER);
    va_end(list);
    return result;
}

/* What they become with _FORTIFY_SOURCE. */
EXPORT int __vdprintf_chk(int fd, int level, const char *format, va_list list);
int __vdprintf_chk(int fd, int level, const char *format, va_list list)
{
    (void)level;
    return print_text(fd, format, list, CALLER);
}

EXPORT int __dprintf_chk(int fd, int level, const char *format, ...);
int __dprintf_chk(int fd, int level, const char *format, ...)
{
    (void)level;
    va_list list;
    va_start(list, format);
    int result = print_text(fd, format, list, CALLER);
    va_end(list);
    return result;
}

/* --- eventfd(2): "These functions perform the read and write operations on an eventfd" --- */

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    NEXT(int, eventfd_read, (int, eventfd_t *));
    if (!rt.on)
        return next(fd, value);
    return descriptor_read(fd, value, sizeof *value, false, CALLER) == sizeof *value ? 0 : -1;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    NEXT(int, eventfd_write, (int, eventfd_t));
    if (!rt.on)
        return next(fd, value);
    return descriptor_write(fd, &value, sizeof value, CALLER) == sizeof value ? 0 : -1;
}
