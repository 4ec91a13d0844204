/* The table of descriptors and the file system: calls that open, copy and close, which make
 * descriptors known to fd.c, and calls that Mazur does not control but must know of.
 * Those that can block on something outside the program are named in the result, once each (UX,
 * "A pass says exactly what was proven"); those that have the kernel write into the program's
 * memory make it writable first (snapshot.c).
 *
 * Descriptors are not memory: after an execution that touched them, everything that was open
 * before main is put back and everything else is closed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/early_channels.h"
#include "runtime/hooks/files/files.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/policy/refused.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"

#define KEPT_MAX   256 /* descriptors open before main that can be put back */
#define KEPT_FLOOR 800 /* where their copies live, if the limit on descriptors allows it */

static struct {
    int nkept;
    int floor; /* of the copies; those of the program are below, or above the last copy */
    struct kept {
        int fd;
        int copy;
        int flags;   /* FD_CLOEXEC, of the descriptor */
        int status;  /* O_NONBLOCK, …, of the open file */
        long offset; /* -1: not seekable */
    } kept[KEPT_MAX];
    bool dirty;
    bool status_changed; /* by F_SETFL, of some file */
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

/* The copies take the last free numbers where there are few: one more for the working directory. */
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
    /* what went to standard output stays there, and is not written over */
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

static bool is_regular(int fd)
{
    struct stat status;
    return raw_syscall2(SYS_fstat, fd, (long)&status) == 0 && S_ISREG(status.st_mode);
}

void files_changed(void)
{
    files.dirty = true;
}

/* A call on a descriptor that may wait for somebody outside this program. */
void files_note_blocking(const char *name, int fd)
{
    files.dirty = true;
    if (!is_regular(fd))
        failure_uncontrolled(name);
}

/* Does reading it give the same in every execution, once its position is put back? */
static bool repeats(int fd)
{
    struct stat status;
    if (raw_syscall2(SYS_fstat, fd, (long)&status) != 0 || S_ISREG(status.st_mode))
        return true;
    return S_ISCHR(status.st_mode) && (status.st_rdev == makedev(1, 3) ||
                                       status.st_rdev == makedev(1, 5)); /* null, zero */
}

void files_note_stream(int fd)
{
    if (fd >= 0 && !repeats(fd))
        failure_uncontrolled("stdio on a pipe or socket");
}

static pid_t waited(pid_t child, int *status, uint64_t pc)
{
    if (child > 0 && status != NULL)
        caller_writes(status, sizeof *status, pc);
    return child;
}

EXPORT pid_t wait(int *status)
{
    UNLESS_ON(wait(status));
    failure_uncontrolled("wait");
    snapshot_touch(status, sizeof *status);
    return waited(real.wait(status), status, CALLER);
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
    UNLESS_ON(waitpid(pid, status, options));
    failure_uncontrolled("waitpid");
    snapshot_touch(status, sizeof *status);
    return waited(real.waitpid(pid, status, options), status, CALLER);
}

/* System calls by number: those that have a hook of their own go there, those that neither wait
 * nor tell anything about other threads pass, the rest is listed. */
static bool hooked_syscall(long number, const long *a, uint64_t pc, long *result)
{
    switch (number) {
    case SYS_gettid:
        *result = gettid();
        return true;
    case SYS_tgkill:
        *result = tgkill((int)a[0], (int)a[1], (int)a[2]);
        return true;
    case SYS_tkill:
        *result = tgkill((int)raw_syscall1(SYS_getpid, 0), (int)a[0], (int)a[1]);
        return true;
    case SYS_kill:
        *result = kill((int)a[0], (int)a[1]);
        return true;
    case SYS_futex:
        *result = futex_call(a, pc);
        return true;
    case SYS_close:
        *result = close((int)a[0]);
        return true;
    case SYS_read:
        *result = read((int)a[0], (void *)a[1], (size_t)a[2]);
        return true;
    case SYS_write:
        *result = write((int)a[0], (const void *)a[1], (size_t)a[2]);
        return true;
    case SYS_eventfd2:
        *result = eventfd((unsigned)a[0], (int)a[1]);
        return true;
    case SYS_getrandom:
        *result = getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        return true;
    case SYS_sched_yield:
        *result = sched_yield();
        return true;
    case SYS_exit_group:
        start_program_end((int)a[0], pc);
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        return true;
    default:
        return false;
    }
}

static bool is_harmless(long number)
{
    return number == SYS_getpid || number == SYS_getcpu || number == SYS_membarrier ||
           number == SYS_madvise || number == SYS_sched_getaffinity;
}

static void name_syscall(char text[32], long number)
{
    static const char prefix[] = "syscall ";
    size_t n = sizeof prefix - 1;
    __builtin_memcpy(text, prefix, n);
    long digits = 1;
    while (number / digits >= 10)
        digits *= 10;
    for (; digits > 0 && n < 31; digits /= 10)
        text[n++] = (char)('0' + number / digits % 10);
    text[n] = 0;
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
    long result;
    if (hooked_syscall(number, a, CALLER, &result))
        return result;
    if (!is_harmless(number)) {
        refuse_syscall(number, CALLER);
        char text[32];
        name_syscall(text, number);
        failure_uncontrolled(text);
    }
    for (int i = 0; i < 6;
         i++) /* any of them may be where the kernel writes (kernel.c) */
        snapshot_touch((const void *)a[i], 1);
    return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* --- Calls that change the table of descriptors --- */

static void read_text(const char *text, uint64_t pc)
{
    if (text != NULL)
        caller_reads(text, rawmem_length(text) + 1, pc);
}

void files_take_number(uint64_t pc)
{
    files_changed();
    shared_use(SHARED_FILES, pc);
}

/* What its number stood for is forgotten before it can be given out again. */
static void forget_number(FILE *file)
{
    int fd = file->_fileno;
    if (fd >= 0)
        descriptor_set(fd, DESCRIPTOR_OUTSIDE, 0);
}

FORWARD(int, fclose, (FILE * file), (file), files_take_number(CALLER);
        memstream_close(file, CALLER); forget_number(file))

static bool is_device(const char *path)
{
    static const char prefix[] = "/dev/";
    size_t i = 0;
    while (prefix[i] && path[i] == prefix[i])
        i++;
    return prefix[i] == 0;
}

/* fopen(3p): every mode but "r" without "+" may change the file. */
static const char *written(const char *path, const char *mode)
{
    bool writes = mode[0] != 'r';
    for (size_t i = 0; mode[i] && mode[i] != ','; i++)
        writes = writes || mode[i] == '+';
    return writes && path != NULL && !is_device(path) ? path : NULL;
}

static void begin_stream(const char *path, const char *mode, uint64_t pc)
{
    read_text(path, pc);
    read_text(mode, pc);
    files_take_number(pc);
    scratch_note_writing(written(path, mode));
}

/* For those that give out the descriptor itself. */
#define OPENS(name, parameters, arguments, path)                                               \
    FORWARD_RESULT(int, name, parameters, arguments, read_text(path, CALLER);                  \
                   files_take_number(CALLER); scratch_note_writing(path), note_opened(result))
/* mkstemp(3p): the letters at the end of the pattern are replaced. */
#define OPENS_PATTERN(name, parameters, arguments)                                             \
    FORWARD_RESULT(int, name, parameters, arguments,                                           \
                   caller_writes(pattern, rawmem_length(pattern) + 1, CALLER);                 \
                   files_take_number(CALLER);                                                  \
                   scratch_note_writing(pattern), note_opened(result))

static void note_opened(int fd)
{
    if (fd >= 0)
        descriptor_set(fd, DESCRIPTOR_OUTSIDE, descriptor_new_channel());
}

FORWARD(FILE *, fopen, (const char *restrict path, const char *restrict mode), (path, mode),
        begin_stream(path, mode, CALLER))
FORWARD(FILE *, fopen64, (const char *restrict path, const char *restrict mode), (path, mode),
        begin_stream(path, mode, CALLER))
FORWARD_RESULT(FILE *, freopen,
               (const char *restrict path, const char *restrict mode, FILE *restrict file),
               (path, mode, file), begin_stream(path, mode, CALLER),
               if (result != NULL) note_opened(result->_fileno))
FORWARD_RESULT(FILE *, freopen64,
               (const char *restrict path, const char *restrict mode, FILE *restrict file),
               (path, mode, file), begin_stream(path, mode, CALLER),
               if (result != NULL) note_opened(result->_fileno))
OPENS(creat, (const char *path, mode_t mode), (path, mode), path)
OPENS(creat64, (const char *path, mode_t mode), (path, mode), path)
OPENS_PATTERN(mkstemp, (char *pattern), (pattern))
OPENS_PATTERN(mkstemp64, (char *pattern), (pattern))
OPENS_PATTERN(mkstemps, (char *pattern, int suffix), (pattern, suffix))
OPENS_PATTERN(mkstemps64, (char *pattern, int suffix), (pattern, suffix))
OPENS_PATTERN(mkostemp, (char *pattern, int flags), (pattern, flags))
OPENS_PATTERN(mkostemp64, (char *pattern, int flags), (pattern, flags))
FORWARD_RESULT(int, memfd_create, (const char *name, unsigned flags), (name, flags),
               read_text(name, CALLER);
               files_take_number(CALLER), note_opened(result))
FORWARD(char *, mkdtemp, (char *pattern), (pattern), files_changed();
        caller_writes(pattern, rawmem_length(pattern) + 1, CALLER);
        shared_look_path(pattern, CALLER); scratch_note_writing(pattern))

FORWARD(int, fchmod, (int fd, mode_t mode), (fd, mode), descriptor_use_file(fd, CALLER);
        if (descriptor_is_inside(fd)) shared_change_state(SHARED_FLAGS, CALLER))
FORWARD(int, fflush, (FILE * file), (file), files_changed(); scratch_look(CALLER);
        memstream_use(file, CALLER); memstream_flush(file, CALLER))
FORWARD(int, access, (const char *path, int mode), (path, mode), files_changed();
        shared_look_path(path, CALLER))
FORWARD(int, faccessat, (int directory, const char *path, int mode, int flags),
        (directory, path, mode, flags), files_changed();
        number_look(directory, CALLER); shared_look_path(path, CALLER))

/* --- Descriptors that threads use between themselves (descriptors.h) --- */

EXPORT int eventfd(unsigned initial, int flags)
{
    if (rt.on)
        shared_use(SHARED_FILES, CALLER);
    long fd = raw_syscall2(SYS_eventfd2, (long)initial, flags);
    if (fd >= 0 && !rt.on)
        early_channel_made((int)fd, -1, DESCRIPTOR_EVENT);
    else if (fd >= 0)
        descriptor_set((int)fd, DESCRIPTOR_EVENT, descriptor_new_channel());
    return (int)descriptor_result(fd);
}

/* Its time is the kernel's, not the program's virtual one. */
EXPORT int timerfd_create(clockid_t clock, int flags)
{
    UNLESS_ON(timerfd_create(clock, flags));
    failure_uncontrolled("timerfd");
    files_take_number(CALLER);
    return real.timerfd_create(clock, flags);
}

static int new_pair(long result, int *pair, enum descriptor_kind kind, uint64_t pc)
{
    if (rt.on && result == 0) {
        caller_writes(pair, 2 * sizeof *pair, pc);
        uint64_t channel = descriptor_new_channel();
        descriptor_set(pair[0], kind, channel);
        descriptor_set(pair[1], kind, channel);
    } else if (result == 0) {
        early_channel_made(pair[0], pair[1], kind);
    }
    return (int)descriptor_result(result);
}

static void prepare_pair(int *pair, uint64_t pc)
{
    if (!rt.on)
        return;
    snapshot_touch(pair, 2 * sizeof *pair);
    shared_use(SHARED_FILES, pc);
}

EXPORT int pipe(int pair[2])
{
    prepare_pair(pair, CALLER);
    return new_pair(raw_syscall2(SYS_pipe2, (long)pair, 0), pair, DESCRIPTOR_PIPE, CALLER);
}

EXPORT int pipe2(int pair[2], int flags)
{
    prepare_pair(pair, CALLER);
    return new_pair(raw_syscall2(SYS_pipe2, (long)pair, flags), pair, DESCRIPTOR_PIPE, CALLER);
}

EXPORT int socketpair(int domain, int type, int protocol, int pair[2])
{
    prepare_pair(pair, CALLER);
    return new_pair(raw_syscall4(SYS_socketpair, domain, type, protocol, (long)pair), pair,
                    DESCRIPTOR_SOCKET, CALLER);
}

/* Standard input or output on a pipe or socket: stdio's own reads and writes are inside libc,
 * out of reach. */
static int copied(int from, int to)
{
    if (to >= 0)
        descriptor_copy(from, to);
    if (to >= 0 && to <= 2 && descriptor_is_inside(to))
        failure_uncontrolled("stdio on a pipe or socket");
    return to;
}

EXPORT int dup(int fd)
{
    UNLESS_ON(dup(fd));
    shared_use(SHARED_FILES, CALLER);
    return copied(fd, real.dup(fd));
}

EXPORT int dup2(int from, int to)
{
    UNLESS_ON(dup2(from, to));
    shared_use(SHARED_FILES, CALLER);
    return copied(from, real.dup2(from, to));
}

EXPORT int dup3(int from, int to, int flags)
{
    UNLESS_ON(dup3(from, to, flags));
    shared_use(SHARED_FILES, CALLER);
    return copied(from, real.dup3(from, to, flags));
}

static bool is_file_lock(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW || command == F_OFD_SETLK ||
           command == F_OFD_GETLK;
}

static bool only_asks(int command)
{
    return command == F_GETFL || command == F_GETFD || command == F_GETPIPE_SZ ||
           command == F_GETOWN || command == F_GETSIG || command == F_GETLEASE ||
           command == F_GET_SEALS;
}

/* Whether calls wait, and for how much room, is looked at when they begin. */
static void begin_control(int fd, int command, long argument, uint64_t pc)
{
    bool lock = is_file_lock(command) || command == F_SETLK;
    bool asks_lock = command == F_GETLK || command == F_OFD_GETLK;
    if (only_asks(command) || lock || asks_lock)
        number_look(fd, pc); /* what else there is depends on everything */
    if (asks_lock)
        snapshot_touch((const void *)argument, sizeof(struct flock));
    if (asks_lock)
        caller_writes((void *)argument, sizeof(struct flock), pc);
    else if (lock)
        caller_reads((const void *)argument, sizeof(struct flock), pc);
    if (is_file_lock(command))
        failure_uncontrolled("file locks (fcntl)");
    if (only_asks(command))
        shared_look_state(SHARED_FLAGS, pc);
    if (only_asks(command) || lock || asks_lock)
        return;
    files_changed();
    if (command == F_SETFL)
        files_status_changed();
    shared_change_state(SHARED_FLAGS, pc);
}

static int control(int fd, int command, long argument, uint64_t pc)
{
    bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (rt.on && copies)
        shared_use(SHARED_FILES, pc);
    if (rt.on && !copies)
        begin_control(fd, command, argument, pc);
    int result = real.fcntl(fd, command, argument);
    return rt.on && copies ? copied(fd, result) : result;
}

#define CONTROL_FUNCTION(name)                                                                 \
    EXPORT int name(int fd, int command, ...)                                                  \
    {                                                                                          \
        va_list list;                                                                          \
        va_start(list, command);                                                               \
        long argument = va_arg(list, long);                                                    \
        va_end(list);                                                                          \
        if (real.close == NULL)                                                                \
            real_resolve();                                                                    \
        return control(fd, command, argument, CALLER);                                         \
    }

CONTROL_FUNCTION(fcntl)
CONTROL_FUNCTION(fcntl64)

/* The stream's own reads and writes are inside libc, out of reach. */
EXPORT FILE *fdopen(int fd, const char *mode)
{
    UNLESS_ON(fdopen(fd, mode));
    files.dirty = true;
    read_text(mode, CALLER);
    number_look(fd, CALLER);
    if (descriptor_is_inside(fd))
        failure_uncontrolled("fdopen of a pipe or socket");
    return real.fdopen(fd, mode);
}

static void refuse_inside(const char *call, int from, int to, uint64_t pc)
{
    if (descriptor_is_inside(from) || descriptor_is_inside(to))
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                      "%s between threads is not supported", call);
}

static void move_offset(off64_t *offset, uint64_t pc)
{
    if (offset == NULL)
        return;
    snapshot_touch(offset, sizeof *offset);
    caller_writes(offset, sizeof *offset, pc);
}

EXPORT ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size,
                      unsigned flags)
{
    UNLESS_ON(splice(from, from_offset, to, to_offset, size, flags));
    refuse_inside("splice", from, to, CALLER);
    move_offset(from_offset, CALLER);
    move_offset(to_offset, CALLER);
    descriptor_use_file(from, CALLER);
    descriptor_use_file(to, CALLER);
    return real.splice(from, from_offset, to, to_offset, size, flags);
}

EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t size)
{
    UNLESS_ON(sendfile(to, from, offset, size));
    refuse_inside("sendfile", from, to, CALLER);
    move_offset(offset, CALLER);
    descriptor_use_file(from, CALLER);
    descriptor_use_file(to, CALLER);
    return real.sendfile(to, from, offset, size);
}

EXPORT ssize_t sendfile64(int to, int from, off64_t *offset, size_t size)
{
    UNLESS_ON(sendfile(to, from, offset, size));
    refuse_inside("sendfile", from, to, CALLER);
    move_offset(offset, CALLER);
    descriptor_use_file(from, CALLER);
    descriptor_use_file(to, CALLER);
    return real.sendfile(to, from, offset, size);
}

/* --- Files --- */


static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* A file's position belongs to all descriptors that were copied from this one. */
static int open_at(int directory, const char *path, int flags, mode_t mode, uint64_t pc)
{
    if (rt.on) {
        read_text(path, pc);
        shared_use(SHARED_FILES, pc);
    }
    long fd = raw_syscall4(SYS_openat, directory, (long)path, flags, mode);
    if (rt.on && fd >= 0) {
        bool random = same_text(path, "/dev/urandom") || same_text(path, "/dev/random");
        if (random)
            descriptor_set((int)fd, DESCRIPTOR_RANDOM, 0);
        else
            descriptor_set((int)fd, DESCRIPTOR_OUTSIDE, descriptor_new_channel());
        if ((flags & O_ACCMODE) != O_RDONLY && is_regular((int)fd))
            scratch_note_writing(path);
    }
    return (int)descriptor_result(fd);
}

#define OPEN_MODE                                                                              \
    mode_t mode = 0;                                                                           \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
        va_list list;                                                                          \
        va_start(list, flags);                                                                 \
        mode = va_arg(list, mode_t);                                                           \
        va_end(list);                                                                          \
    }

EXPORT int open(const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(AT_FDCWD, path, flags, mode, CALLER);
}

EXPORT int open64(const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(AT_FDCWD, path, flags, mode, CALLER);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(directory, path, flags, mode, CALLER);
}

EXPORT int openat64(int directory, const char *path, int flags, ...)
{
    OPEN_MODE
    return open_at(directory, path, flags, mode, CALLER);
}

/* What _FORTIFY_SOURCE makes of open() without a mode. */
EXPORT int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0, CALLER);
}

EXPORT int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0, CALLER);
}

EXPORT int __openat_2(int directory, const char *path, int flags);
int __openat_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0, CALLER);
}

EXPORT int __openat64_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0, CALLER);
}
