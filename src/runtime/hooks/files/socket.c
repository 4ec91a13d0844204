/* Sockets between threads: socket pairs and sockets on the loopback (POSIX recv(3p), send(3p),
 * accept(3p), connect(3p)). descriptors.h says which descriptors these are, fd.c performs
 * the calls. */
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/memory/snapshot.h"

#define LISTENERS_MAX LIMIT_LISTENERS

static struct {
    int nlisteners;
    struct sockaddr_storage listener[LISTENERS_MAX]; /* where the program listens */
} inside;

void sockets_forget(void)
{
    inside.nlisteners = 0;
}

/* --- Addresses --- */

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        uint32_t host = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
        return host >> 24 == 127 || host == INADDR_ANY;
    }
    if (address->sa_family != AF_INET6)
        return false;
    const struct in6_addr *host = &((const struct sockaddr_in6 *)address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(host) || IN6_IS_ADDR_UNSPECIFIED(host);
}

static bool same_address(const struct sockaddr *a, const struct sockaddr *b)
{
    if (a->sa_family == AF_UNIX && b->sa_family == AF_UNIX) {
        const char *x = ((const struct sockaddr_un *)a)->sun_path;
        const char *y = ((const struct sockaddr_un *)b)->sun_path;
        size_t i = *x == 0 && *y == 0; /* abstract names begin with a zero */
        while (i < sizeof((struct sockaddr_un *)0)->sun_path && x[i] && x[i] == y[i])
            i++;
        return i == sizeof((struct sockaddr_un *)0)->sun_path || x[i] == y[i];
    }
    /* The port has the same offset in IPv4 and IPv6 addresses. */
    return is_loopback(a) && is_loopback(b) &&
           ((const struct sockaddr_in *)a)->sin_port ==
               ((const struct sockaddr_in *)b)->sin_port;
}

static bool is_own_address(const struct sockaddr *address, socklen_t length)
{
    struct sockaddr_storage copy = {0};
    __builtin_memcpy(&copy, address, length < sizeof copy ? length : sizeof copy);
    for (int i = 0; i < inside.nlisteners; i++)
        if (same_address((const struct sockaddr *)&copy,
                         (const struct sockaddr *)&inside.listener[i]))
            return true;
    return false;
}

/* --- Receiving --- */

/* Where to store the peer's address and its length. */
static void give_address(struct sockaddr *address, socklen_t *length, uint64_t pc)
{
    if (!address || !length)
        return;
    caller_writes(address, *length, pc);
    caller_writes(length, sizeof *length, pc);
}

static ssize_t receive_data(int fd, void *buffer, size_t size, int flags,
                            struct sockaddr *address, socklen_t *length, uint64_t pc)
{
    snapshot_touch(buffer, size);
    if (address)
        snapshot_touch(address, *length);
    snapshot_touch(length, sizeof *length);
    give_address(address, length, pc);
    number_look(fd, pc);
    if (descriptor_pass_through("recv", fd)) {
        ssize_t result = real.recvfrom(fd, buffer, size, flags, address, length);
        caller_writes(buffer, result > 0 ? (size_t)result : 0, pc);
        return result;
    }
    size_t got = 0;
    for (;;) {
        long result = descriptor_perform(
            &(struct descriptor_request){.number = SYS_recvfrom,
                                         .argument = {fd, (long)((char *)buffer + got),
                                                      (long)(size - got), flags & ~MSG_WAITALL,
                                                      (long)address, (long)length},
                                         .events = POLLIN,
                                         .may_block = descriptor_blocks(fd, flags),
                                         .by_flag = !(flags & MSG_DONTWAIT)},
            pc);
        if (result > 0)
            caller_writes((char *)buffer + got, (size_t)result, pc);
        if (result > 0)
            got += (size_t)result;
        if (!(flags & MSG_WAITALL) || result <= 0 || got == size)
            return got > 0 ? (ssize_t)got : descriptor_result(result);
    }
}

EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    UNLESS_ON(recv(fd, buffer, size, flags));
    return receive_data(fd, buffer, size, flags, NULL, NULL, CALLER);
}

EXPORT ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags);
ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags)
{
    UNLESS_ON(recv(fd, buffer, size, flags));
    if (size > room)
        failure_raise(FAILURE_MEMORY, &(struct failure_details){.pc = CALLER},
                      "recv() of %zu bytes into a buffer of %zu", size, room);
    return receive_data(fd, buffer, size, flags, NULL, NULL, CALLER);
}

EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
                        struct sockaddr *restrict address, socklen_t *restrict length)
{
    UNLESS_ON(recvfrom(fd, buffer, size, flags, address, length));
    return receive_data(fd, buffer, size, flags, address, length, CALLER);
}

EXPORT ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags,
                              struct sockaddr *address, socklen_t *length);
ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags,
                       struct sockaddr *address, socklen_t *length)
{
    UNLESS_ON(recvfrom(fd, buffer, size, flags, address, length));
    if (size > room)
        failure_raise(FAILURE_MEMORY, &(struct failure_details){.pc = CALLER},
                      "recvfrom() of %zu bytes into a buffer of %zu", size, room);
    return receive_data(fd, buffer, size, flags, address, length, CALLER);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    UNLESS_ON(recvmsg(fd, message, flags));
    snapshot_touch(message, sizeof *message);
    snapshot_touch(message->msg_name, message->msg_namelen);
    snapshot_touch(message->msg_control, message->msg_controllen);
    descriptor_touch_parts(message->msg_iov, message->msg_iovlen);
    caller_writes(message, sizeof *message, CALLER);
    caller_reads(message->msg_iov, message->msg_iovlen * sizeof *message->msg_iov, CALLER);
    caller_writes(message->msg_name, message->msg_name ? message->msg_namelen : 0, CALLER);
    caller_writes(message->msg_control, message->msg_control ? message->msg_controllen : 0,
                  CALLER);
    number_look(fd, CALLER);
    ssize_t result;
    if (descriptor_pass_through("recvmsg", fd))
        result = real.recvmsg(fd, message, flags);
    else
        result = descriptor_result(descriptor_perform(
            &(struct descriptor_request){.number = SYS_recvmsg,
                                         .argument = {fd, (long)message, flags},
                                         .events = POLLIN,
                                         .may_block = descriptor_blocks(fd, flags),
                                         .by_flag = !(flags & MSG_DONTWAIT)},
            CALLER));
    descriptor_parts_read(message->msg_iov, message->msg_iovlen, result, CALLER);
    return result;
}

/* --- Sending --- */

static ssize_t transmit_data(int fd, const void *buffer, size_t size, int flags,
                             const struct sockaddr *address, socklen_t length, uint64_t pc)
{
    caller_reads(buffer, size, pc);
    if (address)
        caller_reads(address, length, pc);
    number_look(fd, pc);
    if (!descriptor_is_inside(fd) || (address && !is_own_address(address, length)))
        return real.sendto(fd, buffer, size, flags, address, length);
    struct descriptor_request request = {.number = SYS_sendto,
                                         .argument = {fd, (long)buffer, (long)size,
                                                      flags | MSG_DONTWAIT | MSG_NOSIGNAL,
                                                      (long)address, length},
                                         .events = POLLOUT,
                                         .may_block = descriptor_blocks(fd, flags),
                                         .by_flag = !(flags & MSG_DONTWAIT)};
    return descriptor_written(descriptor_write_all(request, size, pc), !(flags & MSG_NOSIGNAL));
}

EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
    UNLESS_ON(send(fd, buffer, size, flags));
    return transmit_data(fd, buffer, size, flags, NULL, 0, CALLER);
}

EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags,
                      const struct sockaddr *address, socklen_t length)
{
    UNLESS_ON(sendto(fd, buffer, size, flags, address, length));
    return transmit_data(fd, buffer, size, flags, address, length, CALLER);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    UNLESS_ON(sendmsg(fd, message, flags));
    caller_reads(message, sizeof *message, CALLER);
    descriptor_parts_written(message->msg_iov, message->msg_iovlen, CALLER);
    caller_reads(message->msg_name, message->msg_name ? message->msg_namelen : 0, CALLER);
    caller_reads(message->msg_control, message->msg_control ? message->msg_controllen : 0,
                 CALLER);
    number_look(fd, CALLER);
    if (!descriptor_is_inside(fd))
        return real.sendmsg(fd, message, flags);
    return descriptor_written(
        descriptor_perform(
            &(struct descriptor_request){.number = SYS_sendmsg,
                                         .argument = {fd, (long)message, flags | MSG_NOSIGNAL},
                                         .events = POLLOUT,
                                         .may_block = descriptor_blocks(fd, flags),
                                         .by_flag = !(flags & MSG_DONTWAIT),
                                         .partly = descriptor_blocks(fd, flags)},
            CALLER),
        !(flags & MSG_NOSIGNAL));
}

/* --- Making and connecting --- */

EXPORT int socket(int domain, int type, int protocol)
{
    UNLESS_ON(socket(domain, type, protocol));
    shared_use(SHARED_FILES, CALLER);
    long fd = raw_syscall3(SYS_socket, domain, type, protocol);
    bool known = domain == AF_UNIX || domain == AF_INET || domain == AF_INET6;
    if (fd >= 0)
        descriptor_set((int)fd, known ? DESCRIPTOR_SOCKET : DESCRIPTOR_OUTSIDE, OBJECT_NETWORK);
    return (int)descriptor_result(fd);
}

EXPORT int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    UNLESS_ON(setsockopt(fd, level, name, value, length));
    if (value)
        caller_reads(value, length, CALLER);
    number_look(fd, CALLER);
    shared_change_state(SHARED_FLAGS, CALLER);
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
        descriptor_has_timeouts();
    return real.setsockopt(fd, level, name, value, length);
}

/* Ports of the previous execution are still in TIME_WAIT; this makes them available. */
EXPORT int bind(int fd, const struct sockaddr *address, socklen_t length)
{
    UNLESS_ON(bind(fd, address, length));
    caller_reads(address, length, CALLER);
    number_look(fd, CALLER);
    shared_change(CALLER);
    if (descriptor_is_inside(fd) && address->sa_family != AF_UNIX) {
        int one = 1;
        raw_syscall6(SYS_setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, (long)&one, sizeof one, 0);
    }
    long result = raw_syscall3(SYS_bind, fd, (long)address, length);
    if (result == 0 && inside.nlisteners == LISTENERS_MAX)
        limit_reached(LIMIT_AT_LISTENERS);
    if (result == 0 && inside.nlisteners < LISTENERS_MAX) {
        struct sockaddr_storage *own = &inside.listener[inside.nlisteners++];
        socklen_t room = sizeof *own;
        raw_syscall3(SYS_getsockname, fd, (long)own, (long)&room);
    }
    return (int)descriptor_result(result);
}

/* Until this call, the kernel refuses connections to the address. */
EXPORT int listen(int fd, int backlog)
{
    NEXT(int, listen, (int, int));
    if (under_control()) {
        number_look(fd, CALLER);
        shared_change(CALLER);
    }
    return next(fd, backlog);
}

/* The kernel completes a connection to a listening socket of this machine at once, without
 * waiting for accept(). */
EXPORT int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    UNLESS_ON(connect(fd, address, length));
    caller_reads(address, length, CALLER);
    number_look(fd, CALLER);
    if (!descriptor_is_inside(fd) || !is_own_address(address, length)) {
        if (descriptor_is_inside(fd))
            descriptor_set(fd, DESCRIPTOR_OUTSIDE, 0);
        files_note_blocking("connect", fd);
        return real.connect(fd, address, length);
    }
    return (int)descriptor_result(descriptor_perform(
        &(struct descriptor_request){
            .number = SYS_connect, .argument = {fd, (long)address, length}, .events = POLLOUT},
        CALLER));
}

static int accept_one(int fd, struct sockaddr *address, socklen_t *length, int flags,
                      uint64_t pc)
{
    if (address)
        snapshot_touch(address, *length);
    snapshot_touch(length, sizeof *length);
    give_address(address, length, pc);
    number_look(fd, pc);
    if (descriptor_pass_through("accept", fd)) {
        shared_use(SHARED_FILES, pc);
        return real.accept4(fd, address, length, flags);
    }
    long result = descriptor_perform(
        &(struct descriptor_request){.number = SYS_accept4,
                                     .argument = {fd, (long)address, (long)length, flags},
                                     .numbers = true,
                                     .events = POLLIN,
                                     .may_block = descriptor_blocks(fd, 0),
                                     .by_flag = true},
        pc);
    if (result >= 0)
        descriptor_set((int)result, DESCRIPTOR_SOCKET, OBJECT_NETWORK);
    return (int)descriptor_result(result);
}

EXPORT int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length)
{
    UNLESS_ON(accept(fd, address, length));
    return accept_one(fd, address, length, 0, CALLER);
}

EXPORT int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length,
                   int flags)
{
    UNLESS_ON(accept4(fd, address, length, flags));
    return accept_one(fd, address, length, flags, CALLER);
}

EXPORT int shutdown(int fd, int how)
{
    UNLESS_ON(shutdown(fd, how));
    number_look(fd, CALLER);
    if (!descriptor_is_inside(fd))
        return real.shutdown(fd, how);
    return (int)descriptor_result(descriptor_perform(
        &(struct descriptor_request){
            .number = SYS_shutdown, .argument = {fd, how}, .events = POLLOUT},
        CALLER));
}
