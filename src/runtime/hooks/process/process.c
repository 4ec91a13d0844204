/* The ways in which a process ends: exit, abort, assert; and calls that an execution must not
 * make for real (C11 7.22.4, POSIX _exit(3p), fork(3p)). */
#include "runtime/hooks/process/process.h"

#include <assert.h>
#include <dlfcn.h>
#include <spawn.h>
#include <stdlib.h>

#include "runtime/access/caller.h"
#include "runtime/core/attach.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/memory/snapshot.h"

EXPORT void exit(int status)
{
    if (under_control())
        start_program_exit(status, CALLER);
    real_prepare();
    real.exit(status);
    __builtin_unreachable();
}

static void end_now(int status, uint64_t pc)
{
    if (under_control())
        start_program_end(status, pc);
    real_prepare();
    real._exit(status);
}

EXPORT void _exit(int status)
{
    end_now(status, CALLER);
    __builtin_unreachable();
}

EXPORT void _Exit(int status)
{
    end_now(status, CALLER);
    __builtin_unreachable();
}

/* quick_exit(3): libc keeps its handlers private, and they end in a real exit. */
EXPORT void quick_exit(int status)
{
    if (under_control())
        failure_uncontrolled("quick_exit handlers");
    end_now(status, CALLER);
    __builtin_unreachable();
}

EXPORT void abort(void)
{
    if (under_control()) {
        struct failure_details details = {.pc = CALLER, .signal = SIGABRT};
        raise_exception_in_flight(&details);
        failure_raise(FAILURE_CRASH, &details, "abort() called");
    }
    real_prepare();
    real.abort();
    __builtin_unreachable();
}

EXPORT void __assert_fail(const char *expression, const char *file, unsigned line,
                          const char *function)
{
    if (under_control())
        failure_raise(FAILURE_ASSERTION,
                      &(struct failure_details){.pc = CALLER, .line = (int)line},
                      "assertion `%s' failed", expression);
    real_prepare();
    real.__assert_fail(expression, file, line, function);
    __builtin_unreachable();
}

/* --- fork --- */

/* pthread_atfork(3p), which libc_nonshared.a turns into a call of __register_atfork. The
 * handlers lock the program's mutexes, so they run under control, not inside libc's fork. */
#define FORK_HANDLERS_MAX LIMIT_FORK_HANDLERS

struct fork_handlers {
    void (*prepare)(void);
    void (*parent)(void);
    void (*child)(void);
};

static struct {
    uint32_t count;
    uint32_t initial; /* registered before main */
    struct fork_handlers entry[FORK_HANDLERS_MAX];
} at_fork;

void process_begin(void)
{
    at_fork.count = at_fork.initial;
}

EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                             void *module);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *module)
{
    start_attach();
    if (rt.controlled && at_fork.count == FORK_HANDLERS_MAX)
        limit_reached(LIMIT_AT_FORK_HANDLERS);
    if (!rt.controlled || rt.left || at_fork.count == FORK_HANDLERS_MAX) {
        real_prepare();
        return real.__register_atfork(prepare, parent, child, module);
    }
    at_fork.entry[at_fork.count++] = (struct fork_handlers){prepare, parent, child};
    if (!rt.self)
        at_fork.initial = at_fork.count;
    return 0;
}

/* The new process has all of the program's memory but is not part of the search: its hooks are
 * off for good, and it must not write to the board. */
EXPORT pid_t fork(void)
{
    UNLESS_ON(fork());
    failure_uncontrolled("fork");
    for (uint32_t i = at_fork.count; i-- > 0;)
        if (at_fork.entry[i].prepare)
            at_fork.entry[i].prepare();
    rt.on = false;
    pid_t child = real.fork();
    if (child == 0) {
        rt.left = true;
        rt.board = NULL;
        signals_after_fork();
    } else {
        rt.on = true;
    }
    for (uint32_t i = 0; i < at_fork.count; i++) {
        void (*handler)(void) = child == 0 ? at_fork.entry[i].child : at_fork.entry[i].parent;
        if (handler)
            handler();
    }
    return child;
}

EXPORT pid_t vfork(void)
{
    return fork();
}

EXPORT int system(const char *command)
{
    UNLESS_ON(system(command));
    failure_uncontrolled("system");
    return real.system(command);
}

#define SPAWN_FUNCTION(name)                                                                   \
    EXPORT int name(pid_t *restrict child, const char *restrict path,                          \
                    const posix_spawn_file_actions_t *actions,                                 \
                    const posix_spawnattr_t *restrict attributes,                              \
                    char *const arguments[restrict], char *const environment[restrict])        \
    {                                                                                          \
        UNLESS_ON(name(child, path, actions, attributes, arguments, environment));             \
        failure_uncontrolled(#name);                                                           \
        snapshot_touch(child, sizeof *child);                                                  \
        return real.name(child, path, actions, attributes, arguments, environment);            \
    }

SPAWN_FUNCTION(posix_spawn)
SPAWN_FUNCTION(posix_spawnp)

EXPORT FILE *popen(const char *command, const char *mode)
{
    UNLESS_ON(popen(command, mode));
    failure_uncontrolled("popen");
    return real.popen(command, mode);
}

/* --- Process-shared objects --- */

/* Inside one process, a process-shared object behaves like any other. */
#define SHARED_ATTRIBUTE(name, type)                                                           \
    EXPORT int name(type *attributes, int shared)                                              \
    {                                                                                          \
        UNLESS_ON(name(attributes, shared));                                                   \
        if (shared == PTHREAD_PROCESS_SHARED)                                                  \
            raise_reason(REASON_PROCESS_SHARED, NULL);                                         \
        caller_writes(attributes, sizeof *attributes, CALLER);                                 \
        return real.name(attributes, shared);                                                  \
    }

SHARED_ATTRIBUTE(pthread_mutexattr_setpshared, pthread_mutexattr_t)
SHARED_ATTRIBUTE(pthread_condattr_setpshared, pthread_condattr_t)
SHARED_ATTRIBUTE(pthread_rwlockattr_setpshared, pthread_rwlockattr_t)
SHARED_ATTRIBUTE(pthread_barrierattr_setpshared, pthread_barrierattr_t)

/* --- Waiting for children: outside Mazur's control --- */

static pid_t tell_child(pid_t child, int *status, uint64_t pc)
{
    if (child > 0 && status)
        caller_writes(status, sizeof *status, pc);
    return child;
}

EXPORT pid_t wait(int *status)
{
    UNLESS_ON(wait(status));
    failure_uncontrolled("wait");
    snapshot_touch(status, sizeof *status);
    return tell_child(real.wait(status), status, CALLER);
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
    UNLESS_ON(waitpid(pid, status, options));
    failure_uncontrolled("waitpid");
    snapshot_touch(status, sizeof *status);
    return tell_child(real.waitpid(pid, status, options), status, CALLER);
}
