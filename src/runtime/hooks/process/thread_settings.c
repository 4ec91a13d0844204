/* Settings of the process and of its threads that the kernel keeps: names, processors.
 *
 * All threads of the program run on one OS thread, so what the kernel would keep per thread is
 * kept here: a thread's name (prctl(2), PR_SET_NAME), the processors that it may run on. The
 * processors have no effect under Mazur; they are stored in case the program asks. */
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/execution_state.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/core/threads.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/process/process.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/memory/snapshot.h"

static void set_name(const char *name, uint64_t pc)
{
    size_t length = 0;
    while (length + 1 < sizeof rt.self->life.name && name[length])
        length++;
    caller_reads(name, length + 1, pc);
    shared_change_own(SHARED_SETTINGS, pc);
    __builtin_memset(rt.self->life.name, 0, sizeof rt.self->life.name);
    __builtin_memcpy(rt.self->life.name, name, length);
}

static void get_name(char *out, uint64_t pc)
{
    caller_writes(out, sizeof rt.self->life.name, pc);
    snapshot_touch(out, sizeof rt.self->life.name);
    shared_look_state(SHARED_SETTINGS, pc);
    if (rt.self->life.name[0] == 0) { /* the process's name at the start */
        raw_syscall2(SYS_prctl, PR_GET_NAME, (long)out);
        return;
    }
    __builtin_memcpy(out, rt.self->life.name, sizeof rt.self->life.name);
}

static struct {
    bool dumpable_changed; /* in this execution, from this value: */
    int dumpable;
    bool has_own; /* some thread has a setting that the kernel keeps and that is not restored */
} controls;

/* Settings without a visible effect, unless a thread asks for them. */
static bool is_advice(int option)
{
    switch (option) {
    case PR_SET_PDEATHSIG:
    case PR_SET_TIMERSLACK:
        controls.has_own = true;
        return true;
#ifdef PR_SET_VMA
    case PR_SET_VMA:
        return true;
#endif
    default:
        return false;
    }
}

static bool is_question(int option)
{
    switch (option) {
    case PR_GET_PDEATHSIG:
    case PR_GET_TIMERSLACK:
        if (controls.has_own)
            failure_uncontrolled("prctl");
        return true;
    case PR_GET_DUMPABLE:
    case PR_GET_NO_NEW_PRIVS:
    case PR_GET_SECUREBITS:
    case PR_GET_THP_DISABLE:
    case PR_GET_KEEPCAPS:
    case PR_GET_SECCOMP:
    case PR_CAPBSET_READ:
        return true;
    default:
        return false;
    }
}

static void keep_dumpable(void)
{
    if (!controls.dumpable_changed)
        controls.dumpable = (int)raw_syscall1(SYS_prctl, PR_GET_DUMPABLE);
    controls.dumpable_changed = true;
}

/* Handles what the call does to other threads and to the next execution. */
static void begin_prctl(int option, uint64_t pc)
{
    if (is_advice(option))
        return;
    if (is_question(option)) {
        shared_look_state(SHARED_SETTINGS, pc);
        return;
    }
    shared_change_state(SHARED_SETTINGS, pc);
    if (option == PR_SET_DUMPABLE)
        keep_dumpable();
    else if (rt.board->config.isolate != ISOLATE_FORK)
        failure_uncontrolled("prctl");
}

EXPORT int prctl(int option, ...)
{
    NEXT(int, prctl, (int, ...));
    va_list list;
    va_start(list, option);
    unsigned long a[4];
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (!under_control())
        return next(option, a[0], a[1], a[2], a[3]);
    if (option == PR_SET_NAME) {
        set_name((const char *)a[0], CALLER);
        return 0;
    }
    if (option == PR_GET_NAME) {
        get_name((char *)a[0], CALLER);
        return 0;
    }
    begin_prctl(option, CALLER);
    if (option == PR_GET_PDEATHSIG) {
        snapshot_touch((void *)a[0], sizeof(int));
        caller_writes((void *)a[0], sizeof(int), CALLER);
    }
    return next(option, a[0], a[1], a[2], a[3]);
}

/* --- Processors: 1,024, as in cpu_set_t --- */

static struct {
    bool changed; /* in this execution, of some thread */
    bool of[THREADS_MAX];
    cpu_set_t set[THREADS_MAX];
} processors;
LASTING_PART(processors, processors.set); /* `of` and `changed` say which of them count */

void settings_begin(void)
{
    if (controls.dumpable_changed)
        raw_syscall2(SYS_prctl, PR_SET_DUMPABLE, controls.dumpable);
    controls.dumpable_changed = false;
    if (!processors.changed)
        return;
    processors.changed = false;
    __builtin_memset(processors.of, 0, sizeof processors.of);
}

/* sched_setaffinity(2): EINVAL if the machine has no processor of the set. */
static int set_processors(int slot, size_t size, const cpu_set_t *set, uint64_t pc)
{
    cpu_set_t there;
    __builtin_memset(&there, 0, sizeof there);
    raw_syscall3(SYS_sched_getaffinity, 0, sizeof there, (long)&there);
    caller_reads(set, size, pc);
    cpu_set_t wanted;
    __builtin_memset(&wanted, 0, sizeof wanted);
    __builtin_memcpy(&wanted, set, size < sizeof wanted ? size : sizeof wanted);
    bool any = false;
    for (size_t i = 0; i < sizeof there.__bits / sizeof *there.__bits; i++) {
        wanted.__bits[i] &= there.__bits[i];
        any = any || wanted.__bits[i] != 0;
    }
    if (!any)
        return EINVAL;
    thread_setting_changes(slot, pc);
    processors.changed = true;
    processors.of[slot] = true;
    processors.set[slot] = wanted;
    return 0;
}

/* The slot of the thread with this kernel thread id, or -1: a thread only knows its own. */
static int slot_of(pid_t number)
{
    return number == 0 || number == gettid() ? rt.current : -1;
}

EXPORT int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    NEXT(int, sched_setaffinity, (pid_t, size_t, const cpu_set_t *));
    int slot = under_control() ? slot_of(process) : -1;
    if (slot < 0) {
        if (under_control())
            failure_uncontrolled("sched_setaffinity");
        return next(process, size, set);
    }
    int error = set_processors(slot, size, set, CALLER);
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    NEXT(int, pthread_setaffinity_np, (pthread_t, size_t, const cpu_set_t *));
    int slot = under_control() ? thread_of_handle(thread) : -1;
    if (slot < 0)
        return next(thread, size, set);
    return set_processors(slot, size, set, CALLER);
}

/* The processors of the thread in `slot`; -1: of a thread that only the kernel knows. */
static bool get_processors(int slot, size_t size, cpu_set_t *out, uint64_t pc)
{
    snapshot_touch(out, size);
    caller_writes(out, size, pc);
    thread_setting_asked(slot, pc);
    if (slot < 0 || !processors.of[slot] || size > sizeof(cpu_set_t))
        return false;
    __builtin_memcpy(out, &processors.set[slot], size);
    return true;
}

EXPORT int sched_getaffinity(pid_t process, size_t size, cpu_set_t *out)
{
    NEXT(int, sched_getaffinity, (pid_t, size_t, cpu_set_t *));
    if (under_control() && get_processors(slot_of(process), size, out, CALLER))
        return 0;
    return next(process, size, out);
}

EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *out)
{
    NEXT(int, pthread_getaffinity_np, (pthread_t, size_t, cpu_set_t *));
    if (under_control() && get_processors(thread_of_handle(thread), size, out, CALLER))
        return 0;
    return next(thread, size, out);
}
