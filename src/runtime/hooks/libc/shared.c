/* Process state that libc's functions change: the functions that exit() calls, the working
 * directory, the file mode mask, limits and the priority. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/compiler.h"
#include "runtime/arch/raw.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/hooks/libc/process_state.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/memory/memory.h"

/* Handlers run in the reverse order of these calls. atexit() and the destructors of C++ objects
 * are registered here, too. */
EXPORT int __cxa_atexit(void (*function)(void *), void *argument, void *module);
FORWARD(int, __cxa_atexit, (void (*function)(void *), void *argument, void *module),
        (function, argument, module), register_exit(CALLER))
FORWARD(int, on_exit, (void (*function)(int, void *), void *argument), (function, argument),
        register_exit(CALLER))

/* These are not in memory, so they have to be restored after an execution. */
static struct {
    bool directory_changed;
    int directory; /* the working directory before the first change */
    bool mask_changed;
    mode_t mask;
    bool limits_changed;
    struct rlimit64 limit[RLIM_NLIMITS];
    int priority;
} process;

static void keep_directory(uint64_t pc)
{
    if (!process.directory_changed && !scratch_is_on()) {
        long fd = raw_syscall4(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_CLOEXEC, 0);
        process.directory =
            (int)raw_syscall3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, files_spare_floor());
        raw_syscall1(SYS_close, fd);
        if (process.directory < 0)
            rt_fatal("the limit on open files (ulimit -n) leaves no room for the working "
                     "directory that Mazur must return to");
        process.directory_changed = true;
    }
    shared_change_state(SHARED_DIRECTORY, pc);
}

static void keep_mask(uint64_t pc)
{
    if (!process.mask_changed) {
        process.mask = (mode_t)raw_syscall1(SYS_umask, 0);
        raw_syscall1(SYS_umask, process.mask);
        process.mask_changed = true;
    }
    shared_change(pc);
}

#define NICE_LEAST 20 /* the system call returns 20 minus the nice value */

void process_keep_limits(void)
{
    if (process.limits_changed)
        return;
    for (long resource = 0; resource < RLIM_NLIMITS; resource++)
        raw_syscall4(SYS_prlimit64, 0, resource, 0, (long)&process.limit[resource]);
    process.priority = NICE_LEAST - (int)raw_syscall2(SYS_getpriority, PRIO_PROCESS, 0);
    process.limits_changed = true;
}

/* Best effort: only a privileged process may raise its hard limits or its priority again. The
 * result names the call in any case. */
static void restore_limits(void)
{
    for (long resource = 0; resource < RLIM_NLIMITS; resource++)
        raw_syscall4(SYS_prlimit64, 0, resource, (long)&process.limit[resource], 0);
    raw_syscall3(SYS_setpriority, PRIO_PROCESS, 0, process.priority);
}

void process_restore(void)
{
    if (process.directory_changed) {
        raw_syscall1(SYS_fchdir, process.directory);
        raw_syscall1(SYS_close, process.directory);
    }
    if (process.mask_changed)
        raw_syscall1(SYS_umask, process.mask);
    if (process.limits_changed)
        restore_limits();
    process.directory_changed = process.mask_changed = process.limits_changed = false;
}

FORWARD(int, chdir, (const char *path), (path),
        caller_reads(path, rawmem_length(path) + 1, CALLER);
        keep_directory(CALLER))
FORWARD(int, fchdir, (int fd), (fd), keep_directory(CALLER))
FORWARD(mode_t, umask, (mode_t mask), (mask), keep_mask(CALLER))
