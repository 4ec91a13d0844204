/* The ends of a process: exit, abort, assert, and what an execution must not do for real
 * (C11 7.22.4, POSIX _exit(3p), fork(3p)). */
#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

EXPORT void exit(int status)
{
    if (rt.on)
        start_program_exit(status, CALLER);
    if (real.close == NULL)
        real_resolve();
    real.exit(status);
    __builtin_unreachable();
}

static void end_now(int status, uint64_t pc)
{
    if (rt.on)
        start_program_end(status, pc);
    if (real.close == NULL)
        real_resolve();
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

/* quick_exit(3): its handlers are libc's private business and end in a real exit. */
EXPORT void quick_exit(int status)
{
    if (rt.on)
        failure_uncontrolled("quick_exit handlers");
    end_now(status, CALLER);
    __builtin_unreachable();
}

/* std::terminate ends here too: then an exception is in flight, unless it was called by hand.
 * libstdc++ tells; a C program does not have it. */
static const char *exception_in_flight(void)
{
    typedef void *current_type(void);
    current_type *current =
        (current_type *)(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    void **type = current ? current() : NULL;
    return type ? (const char *)type[1] : NULL; /* std::type_info: vtable, then the name */
}

EXPORT void abort(void)
{
    if (rt.on) {
        struct failure_details details = {.pc = CALLER, .signal = SIGABRT};
        rt.on = false;
        const char *type = exception_in_flight();
        if (type)
            failure_raise(FAILURE_EXCEPTION, &details, "uncaught exception of type %s", type);
        failure_raise(FAILURE_CRASH, &details, "abort() called");
    }
    if (real.close == NULL)
        real_resolve();
    real.abort();
    __builtin_unreachable();
}

EXPORT void __assert_fail(const char *expression, const char *file, unsigned line,
                          const char *function)
{
    if (rt.on)
        failure_raise(FAILURE_ASSERTION, &(struct failure_details){.pc = CALLER},
                      "assertion `%s' failed", expression);
    if (real.close == NULL)
        real_resolve();
    real.__assert_fail(expression, file, line, function);
    __builtin_unreachable();
}

/* The new process has all of the program's memory but is not part of the search: its hooks
 * step aside for good, and it must not write to the board. */
EXPORT pid_t fork(void)
{
    UNLESS_ON(fork());
    failure_uncontrolled("fork");
    rt.on = false;
    pid_t child = real.fork();
    if (child == 0) {
        rt.left = true;
        rt.board = NULL;
        return 0;
    }
    rt.on = true;
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

EXPORT FILE *popen(const char *command, const char *mode)
{
    UNLESS_ON(popen(command, mode));
    failure_uncontrolled("popen");
    return real.popen(command, mode);
}

static int refuse(const char *call, uint64_t pc)
{
    failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc}, "%s is not supported",
                  call);
}

EXPORT int pthread_cancel(pthread_t thread)
{
    UNLESS_ON(pthread_cancel(thread));
    return refuse("pthread_cancel", CALLER);
}

EXPORT int pthread_kill(pthread_t thread, int signal)
{
    UNLESS_ON(pthread_kill(thread, signal));
    if (signal == 0)
        return thread_of_handle(thread) >= 0 ? 0 : 3; /* ESRCH */
    return refuse("pthread_kill", CALLER);
}
