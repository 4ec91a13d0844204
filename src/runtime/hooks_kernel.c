/* Calls by which the kernel writes into memory that the program names.
 *
 * Pages of static data are write-protected until they are written for the first time
 * (snapshot.c). A store of the program faults and is let through; a store of the kernel does
 * not fault: the call fails with EFAULT. So every such call makes its output writable first.
 * Calls that are operations do it in their own hooks (hooks_fd.c, hooks_fd_wait.c); these here
 * have nothing to do with threads and go to libc as they are.
 *
 * Buffers that libc itself lies between (statvfs, getline, readdir) are written by its code and
 * fault as the program's stores do; fread() reads long pieces directly (hooks_stream.c). */
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
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "runtime/descriptors.h"
#include "runtime/forward.h"
#include "runtime/scratch.h"

#define ALL_OF(pointer) snapshot_touch(pointer, sizeof *(pointer))

static void filled(void *out, size_t size, uint64_t pc)
{
    if (out != NULL)
        caller_writes(out, size, pc);
}

/* The same before the call. */
static void filled_whole(void *out, size_t size, uint64_t pc)
{
    snapshot_touch(out, size);
    filled(out, size, pc);
}

/* One structure that the call fills in. */
#define FILLS(type, name, parameters, arguments)                                               \
    EXPORT type name parameters;                                                               \
    FORWARD_RESULT(type, name, parameters, arguments, ALL_OF(out),                             \
                   if (result != (type)-1) filled(out, sizeof *out, CALLER))

/* … and that tells of a file. */
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
#define FSTAT(name, type)                                                                      \
    FORWARD_RESULT(                                                                            \
        int, name, (int fd, struct type *out), (fd, out), ALL_OF(out); scratch_look(CALLER);   \
        number_look(fd, CALLER), if (result == 0) caller_writes(out, sizeof *out, CALLER))
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)
FSTAT(fstatfs, statfs)
FSTAT(fstatfs64, statfs64)
TELLS(fstatat, path,
      (int directory, const char *restrict path, struct stat *restrict out, int flags),
      (directory, path, out, flags))
TELLS(fstatat64, path,
      (int directory, const char *restrict path, struct stat64 *restrict out, int flags),
      (directory, path, out, flags))
TELLS(statx, path,
      (int directory, const char *restrict path, int flags, unsigned mask,
       struct statx *restrict out),
      (directory, path, flags, mask, out))

/* What programs that were linked before glibc 2.33 call. */
#define OLD_STAT(name, type)                                                                   \
    TELLS(name, path, (int version, const char *path, struct type *out), (version, path, out))
OLD_STAT(__xstat, stat)
OLD_STAT(__lxstat, stat)
OLD_STAT(__xstat64, stat64)
OLD_STAT(__lxstat64, stat64)
TELLS(__fxstat, NULL, (int version, int fd, struct stat *out), (version, fd, out))
TELLS(__fxstat64, NULL, (int version, int fd, struct stat64 *out), (version, fd, out))
TELLS(__fxstatat, path,
      (int version, int directory, const char *path, struct stat *out, int flags),
      (version, directory, path, out, flags))
TELLS(__fxstatat64, path,
      (int version, int directory, const char *path, struct stat64 *out, int flags),
      (version, directory, path, out, flags))

#define NAMES_DIRECTORY(name, parameters, arguments)                                           \
    EXPORT char *name parameters;                                                              \
    FORWARD_RESULT(                                                                            \
        char *, name, parameters, arguments, shared_look_state(SHARED_DIRECTORY, CALLER);      \
        snapshot_touch(out, size),                                                             \
        if (result != NULL && out != NULL) caller_writes(out, rawmem_length(out) + 1, CALLER))
NAMES_DIRECTORY(getcwd, (char *out, size_t size), (out, size))
NAMES_DIRECTORY(__getcwd_chk, (char *out, size_t size, size_t room), (out, size, room))

READS(readlink, (const char *restrict path, char *restrict out, size_t size), (path, out, size),
      shared_look_path(path, CALLER))
READS(__readlink_chk, (const char *path, char *out, size_t size, size_t room),
      (path, out, size, room), shared_look_path(path, CALLER))
READS(readlinkat, (int directory, const char *restrict path, char *restrict out, size_t size),
      (directory, path, out, size), scratch_look(CALLER))
READS(__readlinkat_chk, (int directory, const char *path, char *out, size_t size, size_t room),
      (directory, path, out, size, room), scratch_look(CALLER))
READS(getdents64, (int fd, void *out, size_t size), (fd, out, size),
      descriptor_use_file(fd, CALLER))

#define XATTR(name, first)                                                                     \
    READS(name, (first, const char *key, void *out, size_t size), (file, key, out, size),      \
          scratch_look(CALLER))
XATTR(getxattr, const char *file)
XATTR(lgetxattr, const char *file)
XATTR(fgetxattr, int file)
#define XATTR_LIST(name, first)                                                                \
    READS(name, (first, char *out, size_t size), (file, out, size), scratch_look(CALLER))
XATTR_LIST(listxattr, const char *file)
XATTR_LIST(llistxattr, const char *file)
XATTR_LIST(flistxattr, int file)

/* --- Reading at a place of a file: no pipe or socket has one --- */

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

/* --- Sockets, and what only the driver of a device knows --- */

static void fill_sized(void *out, socklen_t *length, uint64_t pc)
{
    filled_whole(length, sizeof *length, pc);
    filled_whole(out, *length, pc);
}

FORWARD(int, getsockname, (int fd, struct sockaddr *restrict out, socklen_t *restrict length),
        (fd, out, length), fill_sized(out, length, CALLER))
FORWARD(int, getpeername, (int fd, struct sockaddr *restrict out, socklen_t *restrict length),
        (fd, out, length), fill_sized(out, length, CALLER))
FORWARD(int, getsockopt,
        (int fd, int level, int name, void *restrict out, socklen_t *restrict length),
        (fd, level, name, out, length), fill_sized(out, length, CALLER))

#define IOCTL_SIZE 256 /* more than any structure that ioctl(2) is used with in programs */

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    NEXT(int, ioctl, (int, unsigned long, ...));
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (rt.on) {
        snapshot_touch(argument, IOCTL_SIZE);
        number_look(fd, CALLER);
        if (request == FIONBIO)
            files_status_changed();
        if (request == FIONBIO)
            shared_change(CALLER); /* as fcntl(F_SETFL) */
        if (request == FIONREAD && descriptor_is_inside(fd))
            return descriptor_amount(fd, argument, CALLER);
    }
    return next(fd, request, argument);
}

/* --- The process and the system --- */

FILLS(int, uname, (struct utsname * out), (out))
FILLS(int, sysinfo, (struct sysinfo * out), (out))
FILLS(int, getrusage, (__rusage_who_t who, struct rusage *out), (who, out))
FILLS(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *out), (resource, out))
FILLS(int, getrlimit64, (__rlimit_resource_t resource, struct rlimit64 *out), (resource, out))
FILLS(int, prlimit,
      (pid_t process, enum __rlimit_resource resource, const struct rlimit *new,
       struct rlimit *out),
      (process, resource, new, out))
FILLS(int, prlimit64,
      (pid_t process, enum __rlimit_resource resource, const struct rlimit64 *new,
       struct rlimit64 *out),
      (process, resource, new, out))
FORWARD(int, getgroups, (int count, gid_t *out), (count, out),
        filled_whole(out, (size_t)(count > 0 ? count : 0) * sizeof *out, CALLER))
FORWARD(int, getresuid, (uid_t * real, uid_t *effective, uid_t *saved),
        (real, effective, saved), filled_whole(real, sizeof *real, CALLER);
        filled_whole(effective, sizeof *effective, CALLER);
        filled_whole(saved, sizeof *saved, CALLER))
FORWARD(int, getresgid, (gid_t * real, gid_t *effective, gid_t *saved),
        (real, effective, saved), filled_whole(real, sizeof *real, CALLER);
        filled_whole(effective, sizeof *effective, CALLER);
        filled_whole(saved, sizeof *saved, CALLER))
FILLS(int, sched_getparam, (pid_t process, struct sched_param *out), (process, out))
FILLS(int, sched_rr_get_interval, (pid_t process, struct timespec *out), (process, out))
FILLS(int, clock_getres, (clockid_t clock, struct timespec *out), (clock, out))
