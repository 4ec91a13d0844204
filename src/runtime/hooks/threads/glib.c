/* GLib's own locks: GMutex and GCond are built on futexes, with fast paths in the library's
 * code that no hook sees, and GLib calls them internally without going through the dynamic
 * linker. So if GLib is loaded, Mazur overwrites their entry points with jumps to the functions
 * here, before main and only in a process under control. (For the layout see gthread-posix.c of
 * GLib 2.36 and later: the mutex is its first 32-bit word, 0 when free.)
 *
 * A GMutex is locked and unlocked like a POSIX mutex; its state stays in the program's word.
 */
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/access/access.h"
#include "runtime/access/objects.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/threads/deadline.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/race/race.h"

#define PAGE           UINT64_C(4096)
#define CONDITION_SIZE 16 /* of a GCond */

/* The holder of a GMutex, for reports: GLib itself does not record it. */
static pthread_mutex_t unknown_owner;

static bool mutex_is_free(struct thread *self)
{
    return *(const volatile uint32_t *)self->wait.detail == 0;
}

static void wait_at(uint32_t *mutex)
{
    rt.self->wait.object = &unknown_owner;
    rt.self->wait.detail = ADDRESS(mutex);
}

static void take_lock(uint32_t *mutex, uint64_t pc)
{
    race_acquire(rt.current, ADDRESS(mutex));
    object_use(mutex, sizeof *mutex, pc);
    *mutex = 1;
    lock_note_taken(ADDRESS(mutex), pc, false);
}

static void give_lock(uint32_t *mutex, uint64_t pc)
{
    object_use(mutex, sizeof *mutex, pc);
    *mutex = 0;
    race_release(rt.current, ADDRESS(mutex));
    lock_note_released(ADDRESS(mutex));
}

static void glib_mutex_lock(uint32_t *mutex)
{
    if (!under_control()) {
        *mutex = 1;
        return;
    }
    struct op op = op_make(OP_MUTEX_LOCK, OP_READS | OP_WRITES | OP_MAY_BLOCK, mutex, CALLER);
    access_check(ADDRESS(mutex), sizeof *mutex, true, CALLER);
    wait_at(mutex);
    schedule_point_blocking(&op, mutex_is_free);
    take_lock(mutex, CALLER);
    schedule_done(&op);
}

static int glib_mutex_trylock(uint32_t *mutex)
{
    if (!under_control()) {
        *mutex = 1;
        return 1;
    }
    struct op op = op_make(OP_MUTEX_TRYLOCK, OP_READS | OP_WRITES, mutex, CALLER);
    access_check(ADDRESS(mutex), sizeof *mutex, true, CALLER);
    schedule_point(&op);
    bool free = *mutex == 0;
    if (free)
        take_lock(mutex, CALLER);
    else
        op.flags = (uint16_t)((op.flags & ~OP_WRITES) | OP_FAILED);
    if (!free)
        object_use(mutex, sizeof *mutex, CALLER);
    schedule_done(&op);
    return free;
}

static void glib_mutex_unlock(uint32_t *mutex)
{
    if (!under_control()) {
        *mutex = 0;
        return;
    }
    struct op op = op_make(OP_MUTEX_UNLOCK, OP_WRITES | OP_MAY_RELEASE, mutex, CALLER);
    access_check(ADDRESS(mutex), sizeof *mutex, true, CALLER);
    schedule_point(&op);
    access_check(ADDRESS(mutex), sizeof *mutex, true, CALLER);
    if (*mutex == 0)
        failure_misuse(mutex, CALLER, "g_mutex_unlock of a mutex that is not locked");
    give_lock(mutex, CALLER);
    schedule_done(&op);
}

static bool is_woken(struct thread *self)
{
    return (self->wait.notified || self->time.timed_out) && mutex_is_free(self);
}

/* g_cond_wait(): its manual allows spurious wake-ups, but the search does not try them. */
static bool wait_for(void *condition, uint32_t *mutex, uint64_t deadline, uint64_t pc)
{
    struct thread *self = rt.self;
    struct op op = op_make(OP_COND_WAIT, OP_WRITES | OP_MAY_RELEASE, condition, pc);
    op.object[op.nobjects++] = ADDRESS(mutex);
    schedule_point(&op);
    object_use(condition, CONDITION_SIZE, pc);
    give_lock(mutex, pc);
    self->wait.notified = false;
    self->wait.condition = condition;
    schedule_done(&op);
    op = op_make(OP_COND_WAKE, OP_READS | OP_WRITES | OP_MAY_BLOCK, mutex, pc);
    op.object[op.nobjects++] = OBJECT_WAKE(self->slot);
    if (deadline != NEVER)
        op.flags |= OP_TIMED;
    self->time.deadline = deadline;
    wait_at(mutex);
    schedule_point_blocking(&op, is_woken);
    bool timed_out = !self->wait.notified && deadline != NEVER && schedule_timed_out();
    self->time.deadline = NEVER;
    self->wait.condition = NULL;
    if (timed_out)
        op.flags |= OP_TIMED_OUT;
    take_lock(mutex, pc);
    schedule_done(&op);
    return !timed_out;
}

static void glib_cond_wait(void *condition, uint32_t *mutex)
{
    if (under_control())
        wait_for(condition, mutex, NEVER, CALLER);
}

static int glib_cond_wait_until(void *condition, uint32_t *mutex, int64_t microseconds)
{
    if (!under_control())
        return 0;
    struct timespec when = {.tv_sec = microseconds / 1000000,
                            .tv_nsec = microseconds % 1000000 * 1000};
    return wait_for(condition, mutex, time_deadline(CLOCK_MONOTONIC, &when, 0), CALLER);
}

static void wake_waiters(void *condition, bool all, uint64_t pc)
{
    struct op op = op_make(all ? OP_COND_BROADCAST : OP_COND_SIGNAL, OP_WRITES | OP_MAY_RELEASE,
                           condition, pc);
    schedule_point(&op);
    object_use(condition, CONDITION_SIZE, pc);
    condition_wake(condition, all, &op);
    schedule_done(&op);
}

static void glib_cond_signal(void *condition)
{
    if (under_control())
        wake_waiters(condition, false, CALLER);
}

static void glib_cond_broadcast(void *condition)
{
    if (under_control())
        wake_waiters(condition, true, CALLER);
}

/* --- Taking over --- */

/* mov $hook, %rax; jmp *%rax */
static void redirect_function(void *function, uint64_t hook)
{
    uint8_t code[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
    for (int i = 0; i < 8; i++)
        code[2 + i] = (uint8_t)(hook >> (8 * i));
    uint64_t first = ADDRESS(function) & ~(PAGE - 1);
    uint64_t end = ((ADDRESS(function) + sizeof code - 1) & ~(PAGE - 1)) + PAGE;
    if (raw_syscall3(SYS_mprotect, (long)first, (long)(end - first),
                     PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return;
    for (size_t i = 0; i < sizeof code; i++)
        ((volatile uint8_t *)function)[i] = code[i];
    raw_syscall3(SYS_mprotect, (long)first, (long)(end - first), PROT_READ | PROT_EXEC);
}

void glib_take_over(void)
{
    static const struct {
        const char *name;
        void *hook;
    } entries[] = {
        {"g_mutex_lock", (void *)glib_mutex_lock},
        {"g_mutex_trylock", (void *)glib_mutex_trylock},
        {"g_mutex_unlock", (void *)glib_mutex_unlock},
        {"g_cond_wait", (void *)glib_cond_wait},
        {"g_cond_wait_until", (void *)glib_cond_wait_until},
        {"g_cond_signal", (void *)glib_cond_signal},
        {"g_cond_broadcast", (void *)glib_cond_broadcast},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *function = dlsym(RTLD_DEFAULT, entries[i].name);
        if (function)
            redirect_function(function, ADDRESS(entries[i].hook));
    }
}
