/* Calls in which the kernel writes into the program's memory.
 *
 * Pages of static data are write-protected until they are written for the first time
 * (snapshot.c). A store by the program faults, and the handler makes the page writable; a store
 * by the kernel does not fault: the call fails with EFAULT. So every such call makes its output
 * writable first. Calls that are operations do it in their own hooks (fd.c, fd_wait.c); those
 * here do not involve threads and go to libc unchanged.
 *
 * Where libc copies the result itself (statvfs, getline, readdir), its stores fault as the
 * program's do; fread() lets the kernel write long reads directly (stream.c). */
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/hooks/libc/process_state.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/snapshot.h"

#define ALL_OF(pointer) snapshot_touch(pointer, sizeof *(pointer))

static void note_filled(void *out, size_t size, uint64_t pc)
{
    if (out)
        caller_writes(out, size, pc);
}

/* The same before the call. */
static void filled_whole(void *out, size_t size, uint64_t pc)
{
    snapshot_touch(out, size);
    note_filled(out, size, pc);
}

/* One structure that the call fills in. */
#define FILLS(type, name, parameters, arguments)                                               \
    EXPORT type name parameters;                                                               \
    FORWARD_RESULT(type, name, parameters, arguments, ALL_OF(out),                             \
                   if (result != (type)-1) note_filled(out, sizeof *out, CALLER))

/* … and that is another one each time. */
#define FILLS_VARYING(type, name, parameters, arguments)                                       \
    EXPORT type name parameters;                                                               \
    FORWARD_RESULT(type, name, parameters, arguments, raise_reason(REASON_OUTSIDE, #name);     \
                   ALL_OF(out), if (result != (type)-1) note_filled(out, sizeof *out, CALLER))

/* … and that describes a file. */
#define TELLS(name, path, parameters, arguments)                                               \
    EXPORT int name parameters;                                                                \
    FORWARD_RESULT(int, name, parameters, arguments, ALL_OF(out);                              \
                   shared_look_path(path, CALLER),                                             \
                   if (result == 0) caller_writes(out, sizeof *out, CALLER))

/* A buffer; the result is how much of it was used. */
#define READS(name, parameters, arguments, before)                                             \
    EXPORT ssize_t name parameters;                                                            \
    FORWARD_RESULT(ssize_t, name, parameters, arguments, snapshot_touch(out, size);            \
                   before,                                                                     \
                   if (result > 0 && size > 0) caller_writes(out, (size_t)result, CALLER))

/* --- Files --- */

#define STAT(name, type)                                                                       \
    TELLS(name, path, (const char *restrict path, struct type *restrict out), (path, out))
STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)
STAT(statfs, statfs)
STAT(statfs64, statfs64)
/* Properties of an open file: its size, its mode. */
static void look_at_open(int fd, uint64_t pc)
{
    if (scratch_is_on()) { /* which stands for all files */
        scratch_look(pc);
        number_look(fd, pc);
    } else {
        descriptor_look_at_file(fd, pc);
    }
    if (descriptor_is_inside(fd))
        shared_look_state(SHARED_FLAGS, pc);
}

/* A file by its path from an open directory; with an empty path, the open one itself. */
static void look_at_path(int directory, const char *path, uint64_t pc)
{
    shared_look_path(path, pc);
    if (directory >= 0 && (!path || *path == 0))
        look_at_open(directory, pc);
    else if (directory >= 0)
        number_look(directory, pc);
}

#define FSTAT(name, type)                                                                      \
    FORWARD_RESULT(int, name, (int fd, struct type *out), (fd, out), ALL_OF(out);              \
                   look_at_open(fd, CALLER),                                                   \
                   if (result == 0) caller_writes(out, sizeof *out, CALLER))
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)
FSTAT(fstatfs, statfs)
FSTAT(fstatfs64, statfs64)
/* … by a path from a directory. */
#define TELLS_AT(name, parameters, arguments)                                                  \
    EXPORT int name parameters;                                                                \
    FORWARD_RESULT(int, name, parameters, arguments, ALL_OF(out);                              \
                   look_at_path(directory, path, CALLER),                                      \
                   if (result == 0) caller_writes(out, sizeof *out, CALLER))
TELLS_AT(fstatat,
         (int directory, const char *restrict path, struct stat *restrict out, int flags),
         (directory, path, out, flags))
TELLS_AT(fstatat64,
         (int directory, const char *restrict path, struct stat64 *restrict out, int flags),
         (directory, path, out, flags))
TELLS_AT(statx,
         (int directory, const char *restrict path, int flags, unsigned mask,
          struct statx *restrict out),
         (directory, path, flags, mask, out))

/* Programs that were linked before glibc 2.33 call these. */
#define OLD_STAT(name, type)                                                                   \
    TELLS(name, path, (int version, const char *path, struct type *out), (version, path, out))
OLD_STAT(__xstat, stat)
OLD_STAT(__lxstat, stat)
OLD_STAT(__xstat64, stat64)
OLD_STAT(__lxstat64, stat64)
#define OLD_FSTAT(name, type)                                                                  \
    EXPORT int name(int version, int fd, struct type *out);                                    \
    FORWARD_RESULT(                                                                            \
        int, name, (int version, int fd, struct type *out), (version, fd, out), ALL_OF(out);   \
        look_at_open(fd, CALLER), if (result == 0) caller_writes(out, sizeof *out, CALLER))
OLD_FSTAT(__fxstat, stat)
OLD_FSTAT(__fxstat64, stat64)
TELLS_AT(__fxstatat,
         (int version, int directory, const char *path, struct stat *out, int flags),
         (version, directory, path, out, flags))
TELLS_AT(__fxstatat64,
         (int version, int directory, const char *path, struct stat64 *out, int flags),
         (version, directory, path, out, flags))

#define NAMES_DIRECTORY(name, parameters, arguments)                                           \
    EXPORT char *name parameters;                                                              \
    FORWARD_RESULT(char *, name, parameters, arguments,                                        \
                   shared_look_state(SHARED_DIRECTORY, CALLER);                                \
                   snapshot_touch(out, size),                                                  \
                   if (result && out) caller_writes(out, rawmem_length(out) + 1, CALLER))
NAMES_DIRECTORY(getcwd, (char *out, size_t size), (out, size))
NAMES_DIRECTORY(__getcwd_chk, (char *out, size_t size, size_t room), (out, size, room))

READS(readlink, (const char *restrict path, char *restrict out, size_t size), (path, out, size),
      shared_look_path(path, CALLER))
READS(__readlink_chk, (const char *path, char *out, size_t size, size_t room),
      (path, out, size, room), shared_look_path(path, CALLER))
READS(readlinkat, (int directory, const char *restrict path, char *restrict out, size_t size),
      (directory, path, out, size), look_at_path(directory, path, CALLER))
READS(__readlinkat_chk, (int directory, const char *path, char *out, size_t size, size_t room),
      (directory, path, out, size, room), look_at_path(directory, path, CALLER))
READS(getdents64, (int fd, void *out, size_t size), (fd, out, size),
      descriptor_use_file(fd, CALLER))

#define XATTR(name, first, look)                                                               \
    READS(name, (first, const char *key, void *out, size_t size), (file, key, out, size),      \
          look(file, CALLER);                                                                  \
          caller_reads(key, rawmem_length(key) + 1, CALLER))
XATTR(getxattr, const char *file, shared_look_path)
XATTR(lgetxattr, const char *file, shared_look_path)
XATTR(fgetxattr, int file, look_at_open)
#define XATTR_LIST(name, first, look)                                                          \
    READS(name, (first, char *out, size_t size), (file, out, size), look(file, CALLER))
XATTR_LIST(listxattr, const char *file, shared_look_path)
XATTR_LIST(llistxattr, const char *file, shared_look_path)
XATTR_LIST(flistxattr, int file, look_at_open)

/* --- Reading at an offset of a file: pipes and sockets have none --- */

READS(pread, (int fd, void *out, size_t size, off_t offset), (fd, out, size, offset),
      descriptor_look_at_file(fd, CALLER))
READS(pread64, (int fd, void *out, size_t size, off64_t offset), (fd, out, size, offset),
      descriptor_look_at_file(fd, CALLER))
READS(__pread_chk, (int fd, void *out, size_t size, off_t offset, size_t room),
      (fd, out, size, offset, room), descriptor_look_at_file(fd, CALLER))
READS(__pread64_chk, (int fd, void *out, size_t size, off64_t offset, size_t room),
      (fd, out, size, offset, room), descriptor_look_at_file(fd, CALLER))

static void begin_parts(int fd, const struct iovec *parts, int count, uint64_t pc)
{
    caller_reads(parts, (size_t)count * sizeof *parts, pc);
    descriptor_touch_parts(parts, (size_t)count);
    descriptor_look_at_file(fd, pc);
}

FORWARD_RESULT(ssize_t, preadv, (int fd, const struct iovec *parts, int count, off_t offset),
               (fd, parts, count, offset), begin_parts(fd, parts, count, CALLER),
               descriptor_parts_read(parts, (size_t)count, result, CALLER))
FORWARD_RESULT(ssize_t, preadv64,
               (int fd, const struct iovec *parts, int count, off64_t offset),
               (fd, parts, count, offset), begin_parts(fd, parts, count, CALLER),
               descriptor_parts_read(parts, (size_t)count, result, CALLER))

/* --- Sockets and ioctl(2), whose effects depend on the device --- */

static void fill_sized(void *out, socklen_t *length, uint64_t pc)
{
    filled_whole(length, sizeof *length, pc);
    filled_whole(out, *length, pc);
}

/* Addresses, options and errors of a socket between threads depend on what any of them did to
 * it. */
#define ASKS_SOCKET(name, parameters, ...)                                                     \
    EXPORT int name parameters                                                                 \
    {                                                                                          \
        const long argument[6] = {__VA_ARGS__};                                                \
        if (!under_control())                                                                  \
            return (int)descriptor_result(ask_kernel(SYS_##name, argument));                   \
        fill_sized(out, length, CALLER);                                                       \
        number_look(fd, CALLER);                                                               \
        if (descriptor_is_inside(fd))                                                          \
            return (int)descriptor_ask(SYS_##name, argument, CALLER);                          \
        shared_look_state(SHARED_FLAGS, CALLER);                                               \
        return (int)descriptor_result(ask_kernel(SYS_##name, argument));                       \
    }

static long ask_kernel(long number, const long a[6])
{
    return raw_syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

ASKS_SOCKET(getsockname, (int fd, struct sockaddr *restrict out, socklen_t *restrict length),
            fd, (long)out, (long)length)
ASKS_SOCKET(getpeername, (int fd, struct sockaddr *restrict out, socklen_t *restrict length),
            fd, (long)out, (long)length)
ASKS_SOCKET(getsockopt,
            (int fd, int level, int name, void *restrict out, socklen_t *restrict length), fd,
            level, name, (long)out, (long)length)

#define IOCTL_SIZE 256 /* larger than any structure that programs pass to ioctl(2) */

/* What the call does to its argument; the numbers of older requests do not encode it. */
static void announce_request(unsigned long request, void *argument, uint64_t pc)
{
    switch (request) {
    case FIONREAD:
    case TIOCOUTQ:
        caller_writes(argument, sizeof(int), pc);
        return;
    case FIONBIO:
    case FIOASYNC:
        caller_reads(argument, sizeof(int), pc);
        return;
    case FIOCLEX:
    case FIONCLEX:
        return;
    case TIOCGWINSZ:
        caller_writes(argument, sizeof(struct winsize), pc);
        return;
    case TCGETS:
        caller_writes(argument, sizeof(struct termios), pc);
        return;
    default:
        break;
    }
    size_t size = _IOC_SIZE(request);
    if (_IOC_DIR(request) & _IOC_READ)
        caller_writes(argument, size, pc);
    else if (_IOC_DIR(request) & _IOC_WRITE)
        caller_reads(argument, size, pc);
    else if (rt.used > 1)
        failure_uncontrolled("ioctl");
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    NEXT(int, ioctl, (int, unsigned long, ...));
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (under_control()) {
        snapshot_touch(argument, IOCTL_SIZE);
        number_look(fd, CALLER);
        announce_request(request, argument, CALLER);
        bool sets_flags = request == FIONBIO || request == FIOASYNC || request == FIOCLEX ||
                          request == FIONCLEX;
        if (sets_flags) /* as fcntl(F_SETFL) */
            files_status_changed();
        if (sets_flags)
            shared_change_state(SHARED_FLAGS, CALLER);
        else if (descriptor_is_inside(fd))
            return (int)descriptor_ask(
                SYS_ioctl, (const long[6]){fd, (long)request, (long)argument}, CALLER);
    }
    return next(fd, request, argument);
}

/* --- The process and the system --- */

FILLS(int, uname, (struct utsname * out), (out))
FILLS_VARYING(int, sysinfo, (struct sysinfo * out), (out))
FILLS(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *out), (resource, out))
FILLS(int, getrlimit64, (__rlimit_resource_t resource, struct rlimit64 *out), (resource, out))
static void begin_limits(const void *new, size_t size, uint64_t pc)
{
    if (!new)
        return;
    caller_reads(new, size, pc);
    process_keep_limits();
    failure_uncontrolled("prlimit"); /* as setrlimit: listed.def */
}

#define CHANGES_LIMITS(name, type)                                                             \
    EXPORT int name(pid_t process, enum __rlimit_resource resource, const struct type *new,    \
                    struct type *out);                                                         \
    FORWARD_RESULT(int, name,                                                                  \
                   (pid_t process, enum __rlimit_resource resource, const struct type *new,    \
                    struct type *out),                                                         \
                   (process, resource, new, out), ALL_OF(out);                                 \
                   begin_limits(new, sizeof *new, CALLER),                                     \
                   if (result == 0) note_filled(out, sizeof *out, CALLER))
CHANGES_LIMITS(prlimit, rlimit)
CHANGES_LIMITS(prlimit64, rlimit64)
FORWARD(int, getgroups, (int count, gid_t *out), (count, out),
        shared_look_state(SHARED_SETTINGS, CALLER);
        filled_whole(out, (size_t)(count > 0 ? count : 0) * sizeof *out, CALLER))
FORWARD_RESULT(int, sched_getparam, (pid_t process, struct sched_param *out), (process, out),
               ALL_OF(out);
               shared_look_state(SHARED_SETTINGS, CALLER),
               if (result == 0) note_filled(out, sizeof *out, CALLER))
FILLS(int, sched_rr_get_interval, (pid_t process, struct timespec *out), (process, out))
FILLS(int, clock_getres, (clockid_t clock, struct timespec *out), (clock, out))
