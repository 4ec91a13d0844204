/* Semaphores (POSIX sem_wait(3p), sem_open(3p)).
 *
 * A semaphore's value is the first 32 bits of the program's object, where glibc keeps it; a
 * mark in the padding tells whether the semaphore is initialised.
 *
 * Named semaphores exist only in this process and only during one execution: real ones, in
 * shared memory, would keep their value from one execution to the next. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/access/objects.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/hooks/threads/timed_wait.h"
#include "runtime/memory/heap.h"
#include "runtime/race/race.h"
#include "runtime/waiting/spin.h"

#define NAMED_MAX  LIMIT_NAMED_SEMAPHORES
#define NAMED_TEXT 64

/* --- Semaphores --- */

/* sem_t is 32 bytes; glibc uses the first 16. */
struct semaphore {
    uint32_t value;
    uint32_t waiters;
    uint32_t shared;
    uint32_t unused;
    uint64_t mark;
    uint64_t unused_too;
};
#define SEMAPHORE_LIVE      UINT64_C(0x5e3a6a02e1171e00)
#define SEMAPHORE_DESTROYED UINT64_C(0x5e3a6a02decea5ed)

static uint32_t *value_of(sem_t *semaphore)
{
    return (uint32_t *)(void *)semaphore;
}

static uint64_t *mark_of(sem_t *semaphore)
{
    return &((struct semaphore *)(void *)semaphore)->mark;
}

static void check_mark(sem_t *semaphore, const char *call, uint64_t pc)
{
    uint64_t mark = *mark_of(semaphore);
    if (UNLIKELY(mark != SEMAPHORE_LIVE))
        failure_misuse(semaphore, pc, "%s of a semaphore that %s", call,
                       mark == SEMAPHORE_DESTROYED ? "was destroyed" : "is not initialised");
}

static void check_semaphore(sem_t *semaphore, const char *call, uint64_t pc)
{
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, pc);
    check_mark(semaphore, call, pc);
}

/* The operation was picked. */
static void use_semaphore(sem_t *semaphore, const char *call, uint64_t pc)
{
    object_use(semaphore, sizeof *semaphore, pc);
    check_mark(semaphore, call, pc);
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

static bool semaphore_ready(struct thread *self)
{
    return self->time.timed_out || *value_of(self->wait.object) > 0 ||
           thread_is_cancelled(self) || signals_ended_wait(self, false);
}

static void take_semaphore(sem_t *semaphore, const char *call, uint64_t pc)
{
    race_acquire(rt.current, ADDRESS(semaphore));
    use_semaphore(semaphore, call, pc);
    --*value_of(semaphore);
}

static int wait_semaphore(sem_t *semaphore, uint64_t deadline, uint64_t pc)
{
    check_semaphore(semaphore, "wait", pc);
    struct op op = op_make(OP_SEM_WAIT, OP_READS | OP_WRITES | OP_MAY_BLOCK, semaphore, pc);
    prepare_wait(&op, semaphore, deadline);
    signals_begin_wait(rt.self);
    schedule_point_blocking(&op, semaphore_ready);
    signals_end_wait(rt.self);
    cancel_if_asked(&op);
    if (UNLIKELY(signals_ended_wait(rt.self, false))) { /* sem_wait(3p): EINTR */
        rt.self->time.deadline = NEVER;
        op.flags |= OP_FAILED;
        schedule_done(&op);
        return fail_with(EINTR);
    }
    if (wait_timed_out(deadline)) {
        use_semaphore(semaphore, "wait", pc);
        return fail_with(end_timed_out(&op));
    }
    take_semaphore(semaphore, "wait", pc);
    schedule_done(&op);
    return 0;
}

/* Is a thread blocked on it? */
static bool is_waited_for(sem_t *semaphore)
{
    for (uint32_t t = 0; t < rt.used; t++)
        if (rt.pending[t].kind == OP_SEM_WAIT && rt.thread[t].wait.object == semaphore &&
            *value_of(semaphore) == 0)
            return true;
    return false;
}

int sem_init_hook(sem_t *semaphore, int shared, unsigned value);
FIBER_STUB(sem_init);
int sem_init_hook(sem_t *semaphore, int shared, unsigned value)
{
    if (!under_control()) {
        real_prepare();
        int result = real.sem_init(semaphore, shared, value);
        if (result == 0)
            *mark_of(semaphore) = SEMAPHORE_LIVE;
        return result;
    }
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, CALLER);
    if (value > SEM_VALUE_MAX)
        return fail_with(EINVAL);
    struct op op = op_make(OP_SEM_INIT, OP_WRITES, semaphore, CALLER);
    schedule_point(&op);
    access_check(ADDRESS(semaphore), sizeof *semaphore, true, CALLER);
    if (*mark_of(semaphore) == SEMAPHORE_LIVE && is_waited_for(semaphore))
        failure_misuse(semaphore, CALLER,
                       "initialisation of a semaphore that a thread waits on");
    object_init(semaphore, sizeof *semaphore, CALLER);
    int error = real.sem_init(semaphore, shared, value);
    *mark_of(semaphore) = SEMAPHORE_LIVE;
    race_forget(ADDRESS(semaphore));
    schedule_done(&op);
    return error;
}

int sem_destroy_hook(sem_t *semaphore);
FIBER_STUB(sem_destroy);
int sem_destroy_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_destroy(semaphore));
    check_semaphore(semaphore, "destruction", CALLER);
    struct op op = op_make(OP_SEM_DESTROY, OP_WRITES, semaphore, CALLER);
    schedule_point(&op);
    use_semaphore(semaphore, "destruction", CALLER);
    if (is_waited_for(semaphore))
        failure_misuse(semaphore, CALLER, "destruction of a semaphore that a thread waits on");
    *mark_of(semaphore) = SEMAPHORE_DESTROYED;
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

TIMED_HOOKS(sem_timedwait, sem_clockwait, sem_t, wait_semaphore)

int sem_trywait_hook(sem_t *semaphore);
FIBER_STUB(sem_trywait);
int sem_trywait_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_trywait(semaphore));
    check_semaphore(semaphore, "trywait", CALLER);
    struct op op = op_make(OP_SEM_TRYWAIT, OP_READS | OP_WRITES, semaphore, CALLER);
    spin_point(&op, 0, CALLER);
    if (*value_of(semaphore) == 0) {
        use_semaphore(semaphore, "trywait", CALLER);
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
        spin_note_read(CALLER, ADDRESS(semaphore), ADDRESS(semaphore), 0, 4);
        schedule_done(&op);
        return fail_with(EAGAIN);
    }
    take_semaphore(semaphore, "trywait", CALLER);
    schedule_done(&op);
    return 0;
}

int sem_post_hook(sem_t *semaphore);
FIBER_STUB(sem_post);
int sem_post_hook(sem_t *semaphore)
{
    UNLESS_ON(sem_post(semaphore));
    check_semaphore(semaphore, "post", CALLER);
    struct op op = op_make(OP_SEM_POST, OP_WRITES | OP_MAY_RELEASE, semaphore, CALLER);
    schedule_point(&op);
    use_semaphore(semaphore, "post", CALLER);
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
    check_semaphore(semaphore, "sem_getvalue", CALLER);
    struct op op = op_make(OP_SEM_VALUE, OP_READS, semaphore, CALLER);
    schedule_point(&op);
    use_semaphore(semaphore, "sem_getvalue", CALLER);
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
    if (!under_control()) {
        real_prepare();
        sem_t *opened = real.sem_open(name, flags, mode, value);
        if (rt.controlled && opened != SEM_FAILED)
            *mark_of(opened) = SEMAPHORE_LIVE;
        return opened;
    }
    caller_reads(name, rawmem_length(name) + 1, CALLER);
    shared_use(SHARED_SEMAPHORES, CALLER);
    int unused = -1;
    for (int i = 0; i < NAMED_MAX; i++) {
        if (!named[i].semaphore) {
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
    if (!(flags & O_CREAT))
        return fail_with(ENOENT), SEM_FAILED;
    if (unused < 0 || length >= NAMED_TEXT) {
        limit_reached(LIMIT_AT_NAMED_SEMAPHORES);
        return fail_with(ENOSPC), SEM_FAILED;
    }
    sem_t *semaphore = heap_alloc(rt.current, sizeof *semaphore, 0, true, CALLER);
    *value_of(semaphore) = value;
    *mark_of(semaphore) = SEMAPHORE_LIVE;
    __builtin_memcpy(named[unused].name, name, length + 1);
    named[unused].semaphore = semaphore;
    return semaphore;
}

EXPORT int sem_close(sem_t *semaphore)
{
    UNLESS_ON(sem_close(semaphore));
    return 0; /* it exists until it is unlinked: sem_close(3p) */
}

EXPORT int sem_unlink(const char *name)
{
    UNLESS_ON(sem_unlink(name));
    caller_reads(name, rawmem_length(name) + 1, CALLER);
    shared_use(SHARED_SEMAPHORES, CALLER);
    for (int i = 0; i < NAMED_MAX; i++)
        if (named[i].semaphore && same_name(named[i].name, name)) {
            named[i].semaphore = NULL;
            return 0;
        }
    return fail_with(ENOENT);
}
