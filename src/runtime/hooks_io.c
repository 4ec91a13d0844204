/* Calls that Mazur does not control but must know of: those that can block on something outside
 * the program are named in the result, once each (UX, "A pass says exactly what was proven");
 * those that have the kernel write into the program's memory make it writable first
 * (snapshot.c); those that change the table of descriptors mark it for files_restore().
 *
 * Descriptors are not memory: after an execution that touched them, everything that was open
 * before main is put back and everything else is closed. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "runtime/raw.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#define KEPT_MAX   64  /* descriptors open before main that can be put back */
#define KEPT_FLOOR 800 /* where their copies live */

static struct {
    int nkept;
    int fd[KEPT_MAX];
    int copy[KEPT_MAX];
    long offset[KEPT_MAX]; /* -1: not seekable */
    bool dirty;
} files;

void files_init(void)
{
    for (int fd = 0; fd < KEPT_MAX; fd++) {
        long copy = raw_syscall3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, KEPT_FLOOR);
        if (copy < 0)
            continue;
        files.fd[files.nkept] = fd;
        files.copy[files.nkept] = (int)copy;
        files.offset[files.nkept] = raw_syscall3(SYS_lseek, fd, 0, SEEK_CUR);
        files.nkept++;
    }
}

void files_restore(void)
{
    if (!files.dirty)
        return;
    files.dirty = false;
    raw_syscall3(SYS_close_range, 0, KEPT_FLOOR - 1, 0);
    for (int i = 0; i < files.nkept; i++) {
        raw_syscall3(SYS_dup3, files.copy[i], files.fd[i], 0);
        if (files.offset[i] >= 0)
            raw_syscall3(SYS_lseek, files.fd[i], files.offset[i], SEEK_SET);
    }
    raw_syscall3(SYS_close_range, KEPT_FLOOR + files.nkept, 0x7fffffff, 0);
}

static bool is_regular(int fd)
{
    struct stat status;
    return raw_syscall2(SYS_fstat, fd, (long)&status) == 0 && S_ISREG(status.st_mode);
}

/* A call on a descriptor that may wait for somebody outside this program. */
static void note_blocking(const char *name, int fd)
{
    files.dirty = true;
    if (!is_regular(fd))
        failure_uncontrolled(name);
}

EXPORT ssize_t read(int fd, void *buffer, size_t size)
{
    UNLESS_ON(read(fd, buffer, size));
    note_blocking("read", fd);
    access_write((uint64_t)(uintptr_t)buffer, size, CALLER);
    snapshot_touch(buffer, size);
    return real.read(fd, buffer, size);
}

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
    UNLESS_ON(readv(fd, parts, count));
    note_blocking("readv", fd);
    for (int i = 0; i < count; i++)
        snapshot_touch(parts[i].iov_base, parts[i].iov_len);
    return real.readv(fd, parts, count);
}

EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    UNLESS_ON(recv(fd, buffer, size, flags));
    note_blocking("recv", fd);
    snapshot_touch(buffer, size);
    return real.recv(fd, buffer, size, flags);
}

EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
                        struct sockaddr *restrict address, socklen_t *restrict length)
{
    UNLESS_ON(recvfrom(fd, buffer, size, flags, address, length));
    note_blocking("recvfrom", fd);
    snapshot_touch(buffer, size);
    if (address)
        snapshot_touch(address, *length);
    return real.recvfrom(fd, buffer, size, flags, address, length);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    UNLESS_ON(recvmsg(fd, message, flags));
    note_blocking("recvmsg", fd);
    snapshot_touch(message, sizeof *message);
    for (size_t i = 0; i < message->msg_iovlen; i++)
        snapshot_touch(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    return real.recvmsg(fd, message, flags);
}

EXPORT int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length)
{
    UNLESS_ON(accept(fd, address, length));
    note_blocking("accept", fd);
    if (address)
        snapshot_touch(address, *length);
    return real.accept(fd, address, length);
}

EXPORT int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length,
                   int flags)
{
    UNLESS_ON(accept4(fd, address, length, flags));
    note_blocking("accept4", fd);
    if (address)
        snapshot_touch(address, *length);
    return real.accept4(fd, address, length, flags);
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    UNLESS_ON(connect(fd, address, length));
    note_blocking("connect", fd);
    return real.connect(fd, address, length);
}

EXPORT int poll(struct pollfd *set, nfds_t count, int timeout)
{
    UNLESS_ON(poll(set, count, timeout));
    failure_uncontrolled("poll");
    snapshot_touch(set, count * sizeof *set);
    return real.poll(set, count, timeout);
}

EXPORT int select(int count, fd_set *restrict reads, fd_set *restrict writes,
                  fd_set *restrict exceptions, struct timeval *restrict timeout)
{
    UNLESS_ON(select(count, reads, writes, exceptions, timeout));
    failure_uncontrolled("select");
    snapshot_touch(reads, sizeof *reads);
    snapshot_touch(writes, sizeof *writes);
    snapshot_touch(exceptions, sizeof *exceptions);
    return real.select(count, reads, writes, exceptions, timeout);
}

EXPORT int epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
    UNLESS_ON(epoll_wait(fd, events, count, timeout));
    failure_uncontrolled("epoll_wait");
    snapshot_touch(events, (size_t)count * sizeof *events);
    return real.epoll_wait(fd, events, count, timeout);
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict signal)
{
    UNLESS_ON(sigwait(set, signal));
    failure_uncontrolled("sigwait");
    return real.sigwait(set, signal);
}

EXPORT int pause(void)
{
    UNLESS_ON(pause());
    failure_uncontrolled("pause");
    return real.pause();
}

EXPORT pid_t wait(int *status)
{
    UNLESS_ON(wait(status));
    failure_uncontrolled("wait");
    snapshot_touch(status, sizeof *status);
    return real.wait(status);
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
    UNLESS_ON(waitpid(pid, status, options));
    failure_uncontrolled("waitpid");
    snapshot_touch(status, sizeof *status);
    return real.waitpid(pid, status, options);
}

EXPORT long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    UNLESS_ON(syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    if (number == SYS_gettid) /* asks for nothing that Mazur would have to control */
        return rt.current == 0 ? raw_syscall1(SYS_getpid, 0) : 1000000 + rt.current;
    if (number == SYS_futex)
        return futex_call(a, CALLER);
    failure_uncontrolled("syscall");
    return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* --- Calls that change the table of descriptors --- */

#define NOTE_DESCRIPTORS(type, name, parameters, arguments)                                    \
    EXPORT type name parameters;                                                               \
    type name parameters                                                                       \
    {                                                                                          \
        static type(*next) parameters;                                                         \
        if (next == NULL)                                                                      \
            next = (type(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, #name);                     \
        if (rt.on)                                                                             \
            files.dirty = true;                                                                \
        return next arguments;                                                                 \
    }

NOTE_DESCRIPTORS(int, creat, (const char *path, mode_t mode), (path, mode))
NOTE_DESCRIPTORS(FILE *, fopen, (const char *restrict path, const char *restrict mode),
                 (path, mode))
NOTE_DESCRIPTORS(FILE *, fopen64, (const char *restrict path, const char *restrict mode),
                 (path, mode))
NOTE_DESCRIPTORS(FILE *, freopen,
                 (const char *restrict path, const char *restrict mode, FILE *restrict file),
                 (path, mode, file))
NOTE_DESCRIPTORS(int, fclose, (FILE * file), (file))
NOTE_DESCRIPTORS(FILE *, tmpfile, (void), ())
NOTE_DESCRIPTORS(int, mkstemp, (char *pattern), (pattern))
NOTE_DESCRIPTORS(DIR *, opendir, (const char *path), (path))
NOTE_DESCRIPTORS(int, dup, (int fd), (fd))
NOTE_DESCRIPTORS(int, dup2, (int from, int to), (from, to))
NOTE_DESCRIPTORS(int, dup3, (int from, int to, int flags), (from, to, flags))
NOTE_DESCRIPTORS(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
NOTE_DESCRIPTORS(int, eventfd, (unsigned initial, int flags), (initial, flags))
NOTE_DESCRIPTORS(int, epoll_create, (int size), (size))
NOTE_DESCRIPTORS(int, epoll_create1, (int flags), (flags))
NOTE_DESCRIPTORS(int, timerfd_create, (clockid_t clock, int flags), (clock, flags))

static int result_of(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

static void touch_pair(int *pair)
{
    if (rt.on) {
        files.dirty = true;
        snapshot_touch(pair, 2 * sizeof *pair);
    }
}

EXPORT int pipe(int pair[2])
{
    touch_pair(pair);
    return result_of(raw_syscall2(SYS_pipe2, (long)pair, 0));
}

EXPORT int pipe2(int pair[2], int flags)
{
    touch_pair(pair);
    return result_of(raw_syscall2(SYS_pipe2, (long)pair, flags));
}

EXPORT int socketpair(int domain, int type, int protocol, int pair[2])
{
    touch_pair(pair);
    return result_of(raw_syscall4(SYS_socketpair, domain, type, protocol, (long)pair));
}

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
    if (rt.on)
        files.dirty = true;
    return result_of(raw_syscall4(SYS_openat, directory, (long)path, flags, mode));
}

#define MODE_ARGUMENT                                                                          \
    mode_t mode = 0;                                                                           \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
        va_list list;                                                                          \
        va_start(list, flags);                                                                 \
        mode = va_arg(list, mode_t);                                                           \
        va_end(list);                                                                          \
    }

EXPORT int open(const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return open_at(AT_FDCWD, path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return open_at(AT_FDCWD, path, flags, mode);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    MODE_ARGUMENT
    return open_at(directory, path, flags, mode);
}

EXPORT int close(int fd)
{
    UNLESS_ON(close(fd));
    files.dirty = true;
    return real.close(fd);
}
