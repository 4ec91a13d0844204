/* Reading from and writing to descriptors between threads: pipes, socket pairs, eventfds,
 * sockets on the loopback (POSIX read(3p), write(3p)). descriptors.h says which descriptors
 * these are; socket.c has what is specific to sockets.
 *
 * The kernel keeps the data; Mazur only makes sure that no call blocks in the kernel: it
 * executes a call once poll(2) says that the call will not block, and it makes a write that may
 * not fit piece by piece, without blocking. A descriptor orders what its users do, as a lock
 * does: everything before a write happens before everything after the read of it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/early_channels.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race.h"
#include "runtime/waiting/spin.h"

#define VERSIONS_MAX LIMIT_VERSIONS

static struct {
    struct descriptor table[DESCRIPTORS_MAX];
    uint32_t version[VERSIONS_MAX]; /* changes of a channel, for which a polling loop waits */
    uint64_t versioned[VERSIONS_MAX];
    uint32_t nversions;
    uint32_t channels[THREADS_MAX]; /* made so far, by thread */
    bool has_timeouts;              /* some socket has SO_RCVTIMEO or SO_SNDTIMEO */
} inside;

/* --- The table --- */

const struct descriptor *descriptor_of(int fd)
{
    static const struct descriptor outside;
    return fd >= 0 && fd < DESCRIPTORS_MAX ? &inside.table[fd] : &outside;
}

uint64_t descriptor_new_channel(void)
{
    return OBJECT_CHANNEL(((uint64_t)rt.current << 28) + inside.channels[rt.current]++);
}

void descriptor_set(int fd, enum descriptor_kind kind, uint64_t channel)
{
    files_changed();
    number_changed(fd);
    if (fd >= 0 && fd < DESCRIPTORS_MAX)
        inside.table[fd] = (struct descriptor){(uint8_t)kind, channel};
    else if (fd >= DESCRIPTORS_MAX && kind != DESCRIPTOR_OUTSIDE)
        failure_raise(FAILURE_INVALID, &(struct failure_details){0},
                      "more than %d descriptors are in use", DESCRIPTORS_MAX);
}

void descriptor_copy(int from, int to)
{
    const struct descriptor *descriptor = descriptor_of(from);
    descriptor_set(to, descriptor->kind, descriptor->channel);
}

void descriptor_know(int fd, enum descriptor_kind kind, uint64_t channel)
{
    if (fd >= 0 && fd < DESCRIPTORS_MAX)
        inside.table[fd] = (struct descriptor){(uint8_t)kind, channel};
}

void descriptors_forget(void)
{
    __builtin_memset(&inside, 0, sizeof inside);
    early_channels_begin();
    sockets_forget();
}

/* The socket's time-out has passed. The kernel never returns this value; the program gets
 * EAGAIN. */
#define RESULT_TIMED_OUT (-ERESTART)

long descriptor_result(long result)
{
    if (result >= 0)
        return result;
    errno = result == RESULT_TIMED_OUT ? EAGAIN : (int)-result;
    return -1;
}

#define OBJECT_FROM_BEFORE(fd) OBJECT_SHARED(0x1000 + (uint64_t)(unsigned)(fd))

static void use_file(int fd, int flags, uint64_t pc)
{
    const struct descriptor *descriptor = descriptor_of(fd);
    flags |= number_flags(fd);
    if (descriptor->kind == DESCRIPTOR_OUTSIDE)
        shared_use_file(descriptor->channel ? descriptor->channel : OBJECT_FROM_BEFORE(fd),
                        flags, pc);
}

void descriptor_use_file(int fd, uint64_t pc)
{
    number_look(fd, pc);
    use_file(fd, OP_READS | OP_WRITES, pc);
}

void descriptor_look_at_file(int fd, uint64_t pc)
{
    number_look(fd, pc);
    use_file(fd, OP_READS, pc);
}

/* --- Versions --- */

/* Found by name, which is the same in every execution; NULL if there are too many. */
static uint32_t *version_of(uint64_t object)
{
    for (uint32_t i = 0; i < inside.nversions; i++)
        if (inside.versioned[i] == object)
            return &inside.version[i];
    if (inside.nversions == VERSIONS_MAX) {
        limit_reached(LIMIT_AT_VERSIONS);
        return NULL;
    }
    inside.versioned[inside.nversions] = object;
    return &inside.version[inside.nversions++];
}

static void note_change(const struct op *op)
{
    for (int i = 0; i < op->nobjects; i++) {
        uint32_t *version = version_of(op->object[i]);
        if (version)
            ++*version;
    }
}

/* A loop's read counts as a read of one object: everything if the program uses epoll, otherwise
 * the channel. */
static void note_failure(const struct op *op)
{
    uint32_t *version = version_of(op->object[0]);
    if (version)
        spin_note_read(op->pc, (uint64_t)(uintptr_t)version, op->object[0], *version,
                       sizeof *version);
}

/* --- Waiting --- */

static bool is_ready(struct thread *self)
{
    const struct descriptor_wait *wait = self->wait.object;
    if (self->time.timed_out || thread_is_cancelled(self) ||
        signals_ended_wait(self, !wait->restarts))
        return true;
    return raw_syscall3(SYS_poll, (long)wait->set, (long)wait->count, 0) != 0;
}

static void name_objects(struct op *op, const struct descriptor_wait *wait)
{
    if (wait->numbers)
        op->object[op->nobjects++] = OBJECT_SHARED(SHARED_FILES);
    if (lessons_have(&rt.board->lessons, LESSON_WATCHED))
        op->object[op->nobjects++] = OBJECT_WATCHED;
    for (nfds_t i = 0; i < wait->count; i++) {
        const struct descriptor *descriptor = descriptor_of(wait->set[i].fd);
        bool known = descriptor->kind == DESCRIPTOR_OUTSIDE;
        op->flags |= (uint16_t)number_flags(wait->set[i].fd);
        if (!known && !op_has_object(op, descriptor->channel))
            op_add_object(op, descriptor->channel);
    }
}

enum descriptor_outcome descriptor_begin(struct op *op, struct descriptor_wait *wait,
                                         uint64_t pc)
{
    struct thread *self = rt.self;
    files_changed();
    *op = op_make(OP_READY, OP_READS | OP_WRITES | OP_MAY_RELEASE, NULL, pc);
    name_objects(op, wait);
    if (!wait->may_block) {
        bool one_object = op->nobjects == 1 || op->object[0] == OBJECT_WATCHED;
        if (wait->may_spin && one_object)
            spin_point(op, 0, pc);
        else
            schedule_point(op);
        return DESCRIPTOR_READY;
    }
    op->flags |= OP_MAY_BLOCK;
    if (wait->deadline != NEVER)
        op->flags |= OP_TIMED;
    self->wait.object = wait;
    self->time.deadline = wait->deadline;
    signals_begin_wait(self);
    schedule_point_blocking(op, is_ready);
    signals_end_wait(self);
    cancel_if_asked(op);
    if (signals_ended_wait(self, !wait->restarts)) {
        op->flags |= OP_FAILED;
        self->time.deadline = NEVER;
        schedule_done(op);
        return DESCRIPTOR_INTERRUPTED;
    }
    if (wait->deadline != NEVER && schedule_timed_out()) {
        op->flags |= OP_TIMED_OUT;
        return DESCRIPTOR_TIMED_OUT;
    }
    return DESCRIPTOR_READY;
}

void descriptor_end(struct op *op, const struct descriptor_wait *wait, bool nothing)
{
    bool one_object = op->nobjects == 1 || op->object[0] == OBJECT_WATCHED;
    if (nothing) {
        op->flags = (uint16_t)((op->flags & ~(OP_WRITES | OP_MAY_RELEASE)) | OP_FAILED);
        if (wait->may_spin && !wait->may_block && one_object)
            note_failure(op);
    } else {
        op->flags |= OP_READS | OP_WRITES | OP_MAY_RELEASE;
        note_change(op);
    }
    schedule_done(op);
}

bool descriptor_blocks(int fd, int flags)
{
    if (flags & MSG_DONTWAIT)
        return false;
    return !(raw_syscall3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK);
}

static long execute_request(const struct descriptor_request *request)
{
    const long *a = request->argument;
    long flags = 0;
    if (request->partly) {
        flags = raw_syscall3(SYS_fcntl, a[0], F_GETFL, 0);
        raw_syscall3(SYS_fcntl, a[0], F_SETFL, flags | O_NONBLOCK);
    }
    long result = raw_syscall6(request->number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (request->partly)
        raw_syscall3(SYS_fcntl, a[0], F_SETFL, flags);
    return result;
}

void descriptor_has_timeouts(void)
{
    inside.has_timeouts = true;
}

/* setsockopt(3p), SO_RCVTIMEO: "the timeout value that specifies the maximum amount of time an
 * input function waits until it completes"; zero: no limit. */
static uint64_t socket_deadline(const struct descriptor_request *request)
{
    int fd = (int)request->argument[0];
    if (LIKELY(!inside.has_timeouts) || !request->may_block ||
        descriptor_of(fd)->kind != DESCRIPTOR_SOCKET)
        return NEVER;
    struct timeval limit = {0};
    socklen_t length = sizeof limit;
    long result = raw_syscall6(SYS_getsockopt, fd, SOL_SOCKET,
                               request->events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO,
                               (long)&limit, (long)&length, 0);
    if (result < 0 || (limit.tv_sec == 0 && limit.tv_usec == 0))
        return NEVER;
    return rt.self->time.now + (uint64_t)limit.tv_sec * 1000000000 +
           (uint64_t)limit.tv_usec * 1000;
}

/* Writes of several pages are split, so that they can wait between the pieces. */
static bool goes_in_pieces(const struct descriptor_request *request)
{
    return request->number == SYS_write || request->number == SYS_writev ||
           request->number == SYS_sendmsg;
}

static long perform_once(const struct descriptor_request *request, bool *blocks, uint64_t pc)
{
    int fd = (int)request->argument[0];
    struct pollfd set = {.fd = fd, .events = request->events};
    struct descriptor_wait wait = {.set = &set,
                                   .count = 1,
                                   .deadline = socket_deadline(request),
                                   .may_block = request->may_block,
                                   .restarts = true,
                                   .numbers = request->numbers,
                                   .may_spin = request->may_spin};
    struct op op;
    enum descriptor_outcome outcome = descriptor_begin(&op, &wait, pc);
    if (outcome == DESCRIPTOR_INTERRUPTED)
        return -EINTR;
    if (outcome == DESCRIPTOR_TIMED_OUT) {
        descriptor_end(&op, &wait, true);
        return RESULT_TIMED_OUT;
    }
    *blocks = request->by_flag && !request->may_block && descriptor_blocks(fd, 0);
    if (UNLIKELY(*blocks)) {
        descriptor_end(&op, &wait, true);
        return -EAGAIN;
    }
    uint64_t channel = descriptor_of(fd)->channel;
    if (request->events == POLLIN)
        race_acquire(rt.current, channel);
    else
        race_release(rt.current, channel);
    long result = execute_request(request);
    descriptor_end(&op, &wait, result == -EAGAIN);
    return result;
}

/* Whether the call waits is decided when it is executed. A call that has been waiting since its
 * thread arrived continues to wait: fcntl(F_SETFL) does not end that. */
long descriptor_perform(struct descriptor_request *request, uint64_t pc)
{
    bool blocks = false;
    long result = perform_once(request, &blocks, pc);
    if (LIKELY(!blocks))
        return result;
    request->may_block = true;
    request->partly = goes_in_pieces(request);
    return perform_once(request, &blocks, pc);
}

long descriptor_ask(long number, const long argument[6], uint64_t pc)
{
    struct pollfd set = {.fd = (int)argument[0], .events = POLLIN};
    struct descriptor_wait wait = {.set = &set, .count = 1, .deadline = NEVER};
    struct op op;
    descriptor_begin(&op, &wait, pc);
    long result = raw_syscall6(number, argument[0], argument[1], argument[2], argument[3],
                               argument[4], argument[5]);
    descriptor_end(&op, &wait, true);
    return descriptor_result(result);
}

/* --- Reading --- */

bool descriptor_pass_through(const char *name, int fd)
{
    if (descriptor_is_inside(fd))
        return false;
    files_note_blocking(name, fd);
    return true;
}

ssize_t descriptor_read(int fd, void *buffer, size_t size, bool may_spin, uint64_t pc)
{
    snapshot_touch(buffer, size);
    number_look(fd, pc);
    if (descriptor_of(fd)->kind == DESCRIPTOR_RANDOM)
        return getrandom(buffer, size, 0);
    ssize_t result;
    if (descriptor_pass_through("read", fd)) {
        use_file(fd, OP_READS | OP_WRITES, pc);
        result = real.read(fd, buffer, size);
    } else
        result = descriptor_result(descriptor_perform(
            &(struct descriptor_request){.number = SYS_read,
                                         .argument = {fd, (long)buffer, (long)size},
                                         .events = POLLIN,
                                         .may_block = descriptor_blocks(fd, 0),
                                         .by_flag = true,
                                         .may_spin = may_spin},
            pc));
    if (result > 0)
        caller_writes(buffer, (size_t)result, pc);
    return result;
}

ssize_t read_hook(int fd, void *buffer, size_t size);
FIBER_STUB(read);
ssize_t read_hook(int fd, void *buffer, size_t size)
{
    UNLESS_ON(read(fd, buffer, size));
    return descriptor_read(fd, buffer, size, true, CALLER);
}

/* What read() becomes with _FORTIFY_SOURCE. */
EXPORT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room)
{
    UNLESS_ON(read(fd, buffer, size));
    if (size > room)
        failure_raise(FAILURE_MEMORY, &(struct failure_details){.pc = CALLER},
                      "read() of %zu bytes into a buffer of %zu", size, room);
    return descriptor_read(fd, buffer, size, false, CALLER);
}

void descriptor_touch_parts(const struct iovec *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        snapshot_touch(parts[i].iov_base, parts[i].iov_len);
}

/* `size`: how many bytes were read into the parts, in order; an error counts as none. */
void descriptor_parts_read(const struct iovec *parts, size_t count, ssize_t size, uint64_t pc)
{
    size_t left = size > 0 ? (size_t)size : 0;
    for (size_t i = 0; i < count && left > 0; i++) {
        size_t part = parts[i].iov_len < left ? parts[i].iov_len : left;
        caller_writes(parts[i].iov_base, part, pc);
        left -= part;
    }
}

void descriptor_parts_written(const struct iovec *parts, size_t count, uint64_t pc)
{
    caller_reads(parts, count * sizeof *parts, pc);
    for (size_t i = 0; i < count; i++)
        caller_reads(parts[i].iov_base, parts[i].iov_len, pc);
}

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
    UNLESS_ON(readv(fd, parts, count));
    caller_reads(parts, (size_t)count * sizeof *parts, CALLER);
    descriptor_touch_parts(parts, (size_t)count);
    number_look(fd, CALLER);
    ssize_t result;
    if (descriptor_pass_through("readv", fd)) {
        use_file(fd, OP_READS | OP_WRITES, CALLER);
        result = real.readv(fd, parts, count);
    } else {
        result = descriptor_result(descriptor_perform(
            &(struct descriptor_request){.number = SYS_readv,
                                         .argument = {fd, (long)parts, count},
                                         .events = POLLIN,
                                         .may_block = descriptor_blocks(fd, 0),
                                         .by_flag = true},
            CALLER));
    }
    descriptor_parts_read(parts, (size_t)count, result, CALLER);
    return result;
}

/* --- Writing --- */

/* write(3p): "if the pipe or FIFO is not open for reading, … a SIGPIPE signal shall also be
 * sent to the thread"; Mazur makes the kernel ignore the signal and sends it itself. */
ssize_t descriptor_written(long result, bool signals)
{
    if (result == -EPIPE && signals)
        signals_raise(SIGPIPE);
    return descriptor_result(result);
}

/* A blocking write waits until everything is written: write(3p). */
long descriptor_write_all(struct descriptor_request request, size_t size, uint64_t pc)
{
    size_t done = 0;
    const char *buffer = (const char *)request.argument[1];
    do {
        request.argument[1] = (long)(buffer + done);
        request.argument[2] = (long)(size - done);
        long result = descriptor_perform(&request, pc);
        if (result < 0 && !(result == -EAGAIN && request.may_block))
            return done > 0 ? (long)done : result;
        if (result > 0)
            done += (size_t)result;
    } while (request.may_block && done < size);
    return (long)done;
}

ssize_t descriptor_write(int fd, const void *buffer, size_t size, uint64_t pc)
{
    caller_reads(buffer, size, pc);
    number_look(fd, pc);
    if (!descriptor_is_inside(fd)) {
        if (descriptor_of(fd)->channel != 0)
            use_file(fd, OP_READS | OP_WRITES, pc);
        ssize_t result = real.write(fd, buffer, size);
        return result < 0 ? descriptor_written(-errno, true) : result;
    }
    bool socket = descriptor_of(fd)->kind == DESCRIPTOR_SOCKET;
    bool waits = descriptor_blocks(fd, 0);
    struct descriptor_request request = {
        .number = socket ? SYS_sendto : SYS_write,
        .argument = {fd, (long)buffer, (long)size, socket ? MSG_DONTWAIT | MSG_NOSIGNAL : 0},
        .events = POLLOUT,
        .may_block = waits,
        .by_flag = true,
        .partly = waits && !socket && size > PIPE_BUF};
    return descriptor_written(descriptor_write_all(request, size, pc), true);
}

EXPORT ssize_t write(int fd, const void *buffer, size_t size)
{
    UNLESS_ON(write(fd, buffer, size));
    return descriptor_write(fd, buffer, size, CALLER);
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    UNLESS_ON(writev(fd, parts, count));
    descriptor_parts_written(parts, (size_t)count, CALLER);
    number_look(fd, CALLER);
    if (!descriptor_is_inside(fd)) {
        if (descriptor_of(fd)->channel != 0)
            use_file(fd, OP_READS | OP_WRITES, CALLER);
        return real.writev(fd, parts, count);
    }
    size_t total = 0;
    for (int i = 0; i < count; i++)
        total += parts[i].iov_len;
    if (total <= PIPE_BUF)
        return descriptor_written(
            descriptor_perform(
                &(struct descriptor_request){.number = SYS_writev,
                                             .argument = {fd, (long)parts, count},
                                             .events = POLLOUT,
                                             .may_block = descriptor_blocks(fd, 0),
                                             .by_flag = true},
                CALLER),
            true);
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        ssize_t result = descriptor_write(fd, parts[i].iov_base, parts[i].iov_len, CALLER);
        if (result < 0)
            return done > 0 ? done : -1;
        done += result;
        if ((size_t)result < parts[i].iov_len)
            break;
    }
    return done;
}

/* The last close of one end wakes all threads that wait at the other. */
EXPORT int close(int fd)
{
    UNLESS_ON(close(fd));
    files_changed();
    number_look(fd, CALLER);
    if (!descriptor_is_inside(fd)) {
        shared_use(SHARED_FILES, CALLER);
        descriptor_set(fd, DESCRIPTOR_OUTSIDE, 0);
        return real.close(fd);
    }
    long result = descriptor_perform(
        &(struct descriptor_request){
            .number = SYS_close, .argument = {fd}, .numbers = true, .events = POLLOUT},
        CALLER);
    descriptor_set(fd, DESCRIPTOR_OUTSIDE, 0);
    return (int)descriptor_result(result);
}
