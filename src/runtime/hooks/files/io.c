/* Calls that make, copy and control descriptors. They enter into fd.c's table the descriptors
 * that threads use among themselves (descriptors.h). Opening files: open.c. Descriptors that
 * were open before main: kept_files.c. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/early_channels.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/memory/snapshot.h"

void files_take_number(uint64_t pc)
{
    files_changed();
    shared_use(SHARED_FILES, pc);
}

EXPORT int eventfd(unsigned initial, int flags)
{
    if (under_control())
        shared_use(SHARED_FILES, CALLER);
    long fd = raw_syscall2(SYS_eventfd2, (long)initial, flags);
    if (fd >= 0 && !under_control())
        early_channel_made((int)fd, -1, DESCRIPTOR_EVENT);
    else if (fd >= 0)
        descriptor_set((int)fd, DESCRIPTOR_EVENT, descriptor_new_channel());
    return (int)descriptor_result(fd);
}

/* It runs on the kernel's time, not on the program's virtual time. */
EXPORT int timerfd_create(clockid_t clock, int flags)
{
    UNLESS_ON(timerfd_create(clock, flags));
    failure_uncontrolled("timerfd");
    files_take_number(CALLER);
    return real.timerfd_create(clock, flags);
}

static int new_pair(long result, int *pair, enum descriptor_kind kind, uint64_t pc)
{
    if (under_control() && result == 0) {
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
    if (!under_control())
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

/* Standard input or output on a pipe or socket: stdio makes its reads and writes inside libc,
 * where no hook sees them. */
static int note_copy(int from, int to)
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
    return note_copy(fd, real.dup(fd));
}

EXPORT int dup2(int from, int to)
{
    UNLESS_ON(dup2(from, to));
    shared_use(SHARED_FILES, CALLER);
    return note_copy(from, real.dup2(from, to));
}

EXPORT int dup3(int from, int to, int flags)
{
    UNLESS_ON(dup3(from, to, flags));
    shared_use(SHARED_FILES, CALLER);
    return note_copy(from, real.dup3(from, to, flags));
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

/* A call reads these settings (may it block, how large is the buffer) when it begins. */
static void begin_control(int fd, int command, long argument, uint64_t pc)
{
    bool lock = is_file_lock(command) || command == F_SETLK;
    bool asks_lock = command == F_GETLK || command == F_OFD_GETLK;
    if (only_asks(command) || lock || asks_lock)
        number_look(fd, pc); /* all other requests depend on everything */
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

static int control_descriptor(int fd, int command, long argument, uint64_t pc)
{
    bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (under_control() && copies)
        shared_use(SHARED_FILES, pc);
    if (under_control() && !copies)
        begin_control(fd, command, argument, pc);
    int result = real.fcntl(fd, command, argument);
    return under_control() && copies ? note_copy(fd, result) : result;
}

#define CONTROL_FUNCTION(name)                                                                 \
    EXPORT int name(int fd, int command, ...)                                                  \
    {                                                                                          \
        va_list list;                                                                          \
        va_start(list, command);                                                               \
        long argument = va_arg(list, long);                                                    \
        va_end(list);                                                                          \
        real_prepare();                                                                        \
        return control_descriptor(fd, command, argument, CALLER);                              \
    }

CONTROL_FUNCTION(fcntl)
CONTROL_FUNCTION(fcntl64)

/* The stream's reads and writes happen inside libc, where no hook sees them. */
EXPORT FILE *fdopen(int fd, const char *mode)
{
    UNLESS_ON(fdopen(fd, mode));
    files_changed();
    caller_reads_text(mode, CALLER);
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
    if (!offset)
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

/* off_t and off64_t are the same type here. */
static ssize_t send_file(int to, int from, off_t *offset, size_t size, uint64_t pc)
{
    UNLESS_ON(sendfile(to, from, offset, size));
    refuse_inside("sendfile", from, to, pc);
    move_offset(offset, pc);
    descriptor_use_file(from, pc);
    descriptor_use_file(to, pc);
    return real.sendfile(to, from, offset, size);
}

EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t size)
{
    return send_file(to, from, offset, size, CALLER);
}

EXPORT ssize_t sendfile64(int to, int from, off64_t *offset, size_t size)
{
    return send_file(to, from, offset, size, CALLER);
}
