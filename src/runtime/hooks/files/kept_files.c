/* Saves and restores the descriptors that were open before main.
 *
 * Descriptors are not memory, so the snapshot does not restore them. After an execution that
 * changed descriptors, those that were open before main are restored and all others are closed.
 * Calls that can block on something outside the program are named in the result, once each. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/early_channels.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/memory/memory.h"

#define KEPT_MAX   256 /* descriptors open before main that can be restored */
#define KEPT_FLOOR 800 /* first number of their copies, if the limit on descriptors permits */

static struct {
    int nkept;
    int floor; /* of the copies; the program's are below, or above the last copy */
    struct kept {
        int fd;
        int copy;
        int flags;   /* FD_CLOEXEC, of the descriptor */
        int status;  /* O_NONBLOCK, …, of the open file */
        long offset; /* -1: not seekable */
    } kept[KEPT_MAX];
    bool dirty;
    bool status_changed; /* of some file, by F_SETFL */
} files;

/* How many descriptors the process may have. */
static int descriptor_limit(void)
{
    struct rlimit limit = {0};
    if (raw_syscall4(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit) != 0 ||
        limit.rlim_cur > DESCRIPTORS_MAX)
        return DESCRIPTORS_MAX;
    return (int)limit.rlim_cur;
}

/* If few numbers are available the copies take the last ones, with one more for the working
 * directory. */
static int choose_floor(int limit)
{
    int wanted = files.nkept + 1, floor = limit, kept = files.nkept;
    while (wanted > 0 && floor > 0) {
        floor--;
        if (kept > 0 && files.kept[kept - 1].fd == floor) /* in order of their numbers */
            kept--;
        else
            wanted--;
    }
    return floor < KEPT_FLOOR ? floor : KEPT_FLOOR;
}

static void keep_descriptor(struct kept *kept)
{
    kept->copy = (int)raw_syscall3(SYS_fcntl, kept->fd, F_DUPFD_CLOEXEC, files.floor);
    if (kept->copy < 0)
        rt_fatal("the limit on open files (ulimit -n) leaves no room for the copies of the "
                 "program's descriptors that Mazur needs");
    kept->status = (int)raw_syscall2(SYS_fcntl, kept->fd, F_GETFL);
    /* output to standard output stays, and is not overwritten */
    bool output = kept->fd == 1 || kept->fd == 2;
    kept->offset = output ? -1 : raw_syscall3(SYS_lseek, kept->fd, 0, SEEK_CUR);
}

void files_init(void)
{
    static struct pollfd open[DESCRIPTORS_MAX];
    int limit = descriptor_limit();
    for (int fd = 0; fd < limit; fd++)
        open[fd] = (struct pollfd){.fd = fd};
    long asked = raw_syscall3(SYS_poll, (long)open, limit, 0); /* one call for all of them */
    for (int fd = 0; fd < limit; fd++) {
        if (asked >= 0 && (open[fd].revents & POLLNVAL))
            continue;
        long flags = raw_syscall2(SYS_fcntl, fd, F_GETFD);
        if (flags < 0)
            continue;
        if (files.nkept == KEPT_MAX)
            failure_before_main("the program has more than 256 descriptors open before main, "
                                "more than Mazur can put back after each execution");
        files.kept[files.nkept++] = (struct kept){.fd = fd, .flags = (int)flags};
    }
    files.floor = choose_floor(limit);
    for (int i = 0; i < files.nkept; i++)
        keep_descriptor(&files.kept[i]);
    early_channels_start();
}

int files_spare_floor(void)
{
    return files.floor;
}

bool files_touched(void)
{
    return files.dirty;
}

static void restore_descriptor(const struct kept *kept)
{
    raw_syscall3(SYS_dup3, kept->copy, kept->fd, kept->flags & FD_CLOEXEC ? O_CLOEXEC : 0);
    if (kept->offset >= 0)
        raw_syscall3(SYS_lseek, kept->fd, kept->offset, SEEK_SET);
    if (files.status_changed)
        raw_syscall3(SYS_fcntl, kept->fd, F_SETFL, kept->status);
}

void files_restore(void)
{
    if (!files.dirty)
        return;
    files.dirty = false;
    descriptors_forget();
    raw_syscall3(SYS_close_range, 0, files.floor - 1, 0);
    for (int i = 0; i < files.nkept; i++)
        restore_descriptor(&files.kept[i]);
    early_channels_empty();
    files.status_changed = false;
    raw_syscall3(SYS_close_range, files.floor + files.nkept, 0x7fffffff, 0);
}

void files_status_changed(void)
{
    files.dirty = files.status_changed = true;
}

bool descriptor_is_regular(int fd)
{
    struct stat status;
    return raw_syscall2(SYS_fstat, fd, (long)&status) == 0 && S_ISREG(status.st_mode);
}

void files_changed(void)
{
    files.dirty = true;
}

/* A call on a descriptor that may wait for something outside this program. */
void files_note_blocking(const char *name, int fd)
{
    files.dirty = true;
    if (!descriptor_is_regular(fd))
        failure_uncontrolled(name);
}

/* Does reading it give the same result in every execution, once its position is restored? */
static bool reads_the_same(int fd)
{
    struct stat status;
    if (raw_syscall2(SYS_fstat, fd, (long)&status) != 0 || S_ISREG(status.st_mode))
        return true;
    return S_ISCHR(status.st_mode) && (status.st_rdev == makedev(1, 3) ||
                                       status.st_rdev == makedev(1, 5)); /* null, zero */
}

void files_note_stream(int fd)
{
    if (fd >= 0 && !reads_the_same(fd))
        failure_uncontrolled("stdio on a pipe or socket");
}
