/* Waiting for several descriptors: poll(3p), select(3p), epoll_wait(2) and their variants.
 *
 * If all descriptors come from outside the program, the call passes through and is listed.
 * Otherwise it is one operation on all their channels, with the program's time-out in virtual
 * time. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race.h"

#define POLL_MAX    LIMIT_POLLED
#define MILLISECOND UINT64_C(1000000)
#define SECOND      UINT64_C(1000000000)
#define NO_TIMEOUT  UINT64_MAX

static uint64_t duration_of(const struct timespec *timeout)
{
    return timeout ? (uint64_t)timeout->tv_sec * SECOND + (uint64_t)timeout->tv_nsec
                   : NO_TIMEOUT;
}

static void read_limits(const struct timespec *timeout, const sigset_t *mask, uint64_t pc)
{
    if (timeout)
        caller_reads(timeout, sizeof *timeout, pc);
    if (mask)
        caller_reads(mask, sizeof(uint64_t), pc);
}

static uint64_t duration_of_milliseconds(int timeout)
{
    return timeout < 0 ? NO_TIMEOUT : (uint64_t)timeout * MILLISECOND;
}

/* No descriptor at all: old programs sleep this way. */
static void sleep_only(uint64_t duration, uint64_t pc)
{
    if (duration == NO_TIMEOUT) {
        signals_pause(pc);
        return;
    }
    struct op op = op_make(OP_SLEEP, OP_YIELDS, NULL, pc);
    schedule_point(&op);
    rt.self->time.now += duration;
    schedule_done(&op);
}

static struct descriptor_wait make_wait(struct pollfd *set, nfds_t count, uint64_t duration,
                                        bool may_spin)
{
    bool endless = duration == NO_TIMEOUT || duration == 0;
    return (struct descriptor_wait){.set = set,
                                    .count = count,
                                    .deadline = endless ? NEVER : rt.self->time.now + duration,
                                    .may_block = duration != 0,
                                    .may_spin = may_spin};
}

/* Waits until something in the set is ready or time is up, then asks the kernel. Returns the
 * number of ready descriptors or a negative error number. */
static long wait_for(struct pollfd *set, nfds_t count, uint64_t duration, bool may_spin,
                     uint64_t pc)
{
    struct descriptor_wait wait = make_wait(set, count, duration, may_spin);
    struct op op;
    if (descriptor_begin(&op, &wait, pc) == DESCRIPTOR_INTERRUPTED)
        return -EINTR;
    long result = raw_syscall3(SYS_poll, (long)set, (long)count, 0);
    descriptor_end(&op, &wait, result == 0);
    return result;
}

static bool any_inside(const struct pollfd *set, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++)
        if (descriptor_is_inside(set[i].fd))
            return true;
    return false;
}

static void look_at_numbers(const struct pollfd *set, nfds_t count, uint64_t pc)
{
    for (nfds_t i = 0; i < count; i++)
        number_look(set[i].fd, pc);
}

static void note_outside(const char *name, const struct pollfd *set, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++)
        if (set[i].fd >= 0 && !descriptor_is_inside(set[i].fd) &&
            raw_syscall2(SYS_fcntl, set[i].fd, F_GETFD) >= 0)
            failure_uncontrolled(name);
}

static int poll_set(struct pollfd *set, nfds_t count, uint64_t duration, bool may_spin,
                    uint64_t pc)
{
    if (count == 0) {
        sleep_only(duration, pc);
        return duration == NO_TIMEOUT ? -1 : 0;
    }
    snapshot_touch(set, count * sizeof *set);
    caller_reads(set, count * sizeof *set, pc);
    look_at_numbers(set, count, pc);
    note_outside("poll", set, count);
    if (!any_inside(set, count) || count > POLL_MAX) {
        if (any_inside(set, count))
            limit_reached(LIMIT_AT_POLLED);
        int milliseconds = duration == NO_TIMEOUT ? -1 : (int)(duration / MILLISECOND);
        return real.poll(set, count, milliseconds);
    }
    struct pollfd copy[POLL_MAX]; /* a copy: other threads may change the program's set */
    __builtin_memcpy(copy, set, count * sizeof *set);
    long result = wait_for(copy, count, duration, may_spin, pc);
    if (result >= 0)
        for (nfds_t i = 0; i < count; i++) {
            caller_writes(&set[i].revents, sizeof set[i].revents, pc);
            set[i].revents = copy[i].revents;
        }
    return (int)descriptor_result(result);
}

int poll_hook(struct pollfd *set, nfds_t count, int timeout);
FIBER_STUB(poll);
int poll_hook(struct pollfd *set, nfds_t count, int timeout)
{
    UNLESS_ON(poll(set, count, timeout));
    return poll_set(set, count, duration_of_milliseconds(timeout), true, CALLER);
}

EXPORT int __poll_chk(struct pollfd *set, nfds_t count, int timeout, size_t room);
int __poll_chk(struct pollfd *set, nfds_t count, int timeout, size_t room)
{
    (void)room;
    UNLESS_ON(poll(set, count, timeout));
    return poll_set(set, count, duration_of_milliseconds(timeout), false, CALLER);
}

EXPORT int ppoll(struct pollfd *set, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask)
{
    UNLESS_ON(ppoll(set, count, timeout, mask));
    read_limits(timeout, mask, CALLER);
    uint64_t old = signals_swap_mask(mask);
    int result = poll_set(set, count, duration_of(timeout), false, CALLER);
    signals_restore_mask(old);
    return result;
}

EXPORT int __ppoll_chk(struct pollfd *set, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask, size_t room);
int __ppoll_chk(struct pollfd *set, nfds_t count, const struct timespec *timeout,
                const sigset_t *mask, size_t room)
{
    (void)room;
    return ppoll(set, count, timeout, mask);
}

/* --- select --- */

static const short select_events[3] = {POLLIN, POLLOUT, POLLPRI};
static const short select_answers[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};

static nfds_t set_from_select(struct pollfd *set, int count, fd_set *const sets[3])
{
    nfds_t used = 0;
    for (int fd = 0; fd < count && fd < FD_SETSIZE; fd++) {
        short events = 0;
        for (int i = 0; i < 3; i++)
            if (sets[i] && FD_ISSET(fd, sets[i]))
                events |= select_events[i];
        if (events && used == POLL_MAX)
            limit_reached(LIMIT_AT_POLLED);
        else if (events)
            set[used++] = (struct pollfd){.fd = fd, .events = events};
    }
    return used;
}

/* select(3p), EBADF: "one or more of the file descriptor sets specified a file descriptor that
 * is not a valid open file descriptor"; the sets stay unchanged. */
static bool has_closed(const struct pollfd *set, nfds_t used)
{
    for (nfds_t i = 0; i < used; i++)
        if (set[i].revents & POLLNVAL)
            return true;
    return false;
}

static int set_to_select(const struct pollfd *set, nfds_t used, int count,
                         fd_set *const sets[3], uint64_t pc)
{
    int bits = 0;
    if (has_closed(set, used))
        return (int)descriptor_result(-EBADF);
    for (int i = 0; i < 3; i++) {
        if (!sets[i])
            continue;
        snapshot_touch(sets[i], sizeof *sets[i]);
        caller_writes(sets[i], (size_t)(count + 7) / 8, pc);
        for (nfds_t j = 0; j < used; j++) {
            if (!FD_ISSET(set[j].fd, sets[i]))
                continue;
            if (set[j].revents & select_answers[i])
                bits++;
            else
                FD_CLR(set[j].fd, sets[i]);
        }
    }
    return bits;
}

static int select_sets(int count, fd_set *const sets[3], uint64_t duration, uint64_t pc)
{
    struct pollfd set[POLL_MAX];
    for (int i = 0; i < 3; i++)
        if (sets[i])
            caller_reads(sets[i], (size_t)(count + 7) / 8, pc);
    nfds_t used = set_from_select(set, count, sets);
    if (used == 0) {
        sleep_only(duration, pc);
        return duration == NO_TIMEOUT ? -1 : set_to_select(set, 0, count, sets, pc);
    }
    look_at_numbers(set, used, pc);
    note_outside("select", set, used);
    long result = 0;
    if (any_inside(set, used))
        result = wait_for(set, used, duration, false, pc);
    else
        result =
            real.poll(set, used, duration == NO_TIMEOUT ? -1 : (int)(duration / MILLISECOND));
    return result < 0 ? (int)descriptor_result(result)
                      : set_to_select(set, used, count, sets, pc);
}

EXPORT int select(int count, fd_set *restrict reads, fd_set *restrict writes,
                  fd_set *restrict exceptions, struct timeval *restrict timeout)
{
    UNLESS_ON(select(count, reads, writes, exceptions, timeout));
    if (timeout)
        caller_reads(timeout, sizeof *timeout, CALLER);
    fd_set *const sets[3] = {reads, writes, exceptions};
    uint64_t duration = timeout ? (uint64_t)timeout->tv_sec * SECOND +
                                      (uint64_t)timeout->tv_usec * UINT64_C(1000)
                                : NO_TIMEOUT;
    return select_sets(count, sets, duration, CALLER);
}

EXPORT int pselect(int count, fd_set *restrict reads, fd_set *restrict writes,
                   fd_set *restrict exceptions, const struct timespec *restrict timeout,
                   const sigset_t *restrict mask)
{
    UNLESS_ON(pselect(count, reads, writes, exceptions, timeout, mask));
    read_limits(timeout, mask, CALLER);
    fd_set *const sets[3] = {reads, writes, exceptions};
    uint64_t old = signals_swap_mask(mask);
    int result = select_sets(count, sets, duration_of(timeout), CALLER);
    signals_restore_mask(old);
    return result;
}

/* --- epoll --- */

/* From now on operations on descriptors name OBJECT_WATCHED: the search starts over. */
static int new_epoll(long fd)
{
    if (fd < 0)
        return (int)descriptor_result(fd);
    descriptor_set((int)fd, DESCRIPTOR_EPOLL, OBJECT_WATCHED);
    if (!rt.recording && lessons_add(&rt.board->lessons, LESSON_WATCHED, 0, 0) == LESSON_NEW)
        schedule_start_over();
    return (int)fd;
}

EXPORT int epoll_create(int size)
{
    UNLESS_ON(epoll_create(size));
    shared_use(SHARED_FILES, CALLER);
    return new_epoll(raw_syscall1(SYS_epoll_create1, 0));
}

EXPORT int epoll_create1(int flags)
{
    UNLESS_ON(epoll_create1(flags));
    shared_use(SHARED_FILES, CALLER);
    return new_epoll(raw_syscall1(SYS_epoll_create1, flags));
}

EXPORT int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    UNLESS_ON(epoll_ctl(epoll, operation, fd, event));
    if (event && operation != EPOLL_CTL_DEL)
        caller_reads(event, sizeof *event, CALLER);
    number_look(epoll, CALLER);
    number_look(fd, CALLER);
    if (!descriptor_is_inside(epoll))
        return real.epoll_ctl(epoll, operation, fd, event);
    if (!descriptor_is_inside(fd))
        failure_uncontrolled("epoll on outside descriptor");
    struct pollfd set[2] = {{.fd = epoll}, {.fd = fd}};
    struct descriptor_wait wait = {.set = set, .count = 2, .deadline = NEVER};
    struct op op;
    descriptor_begin(&op, &wait, CALLER);
    race_release(rt.current, OBJECT_EPOLL(epoll));
    long result = raw_syscall4(SYS_epoll_ctl, epoll, operation, fd, (long)event);
    descriptor_end(&op, &wait, false);
    return (int)descriptor_result(result);
}

static int wait_epoll(int epoll, struct epoll_event *events, int count, uint64_t duration,
                      bool may_spin, uint64_t pc)
{
    snapshot_touch(events, (size_t)count * sizeof *events);
    number_look(epoll, pc);
    struct pollfd set = {.fd = epoll, .events = POLLIN};
    struct descriptor_wait wait = make_wait(&set, 1, duration, may_spin);
    struct op op;
    if (descriptor_begin(&op, &wait, pc) == DESCRIPTOR_INTERRUPTED)
        return (int)descriptor_result(-EINTR);
    race_acquire(rt.current, OBJECT_EPOLL(epoll));
    long result = raw_syscall4(SYS_epoll_wait, epoll, (long)events, count, 0);
    descriptor_end(&op, &wait, result == 0);
    if (result > 0)
        caller_writes(events, (size_t)result * sizeof *events, pc);
    return (int)descriptor_result(result);
}

int epoll_wait_hook(int epoll, struct epoll_event *events, int count, int timeout);
FIBER_STUB(epoll_wait);
int epoll_wait_hook(int epoll, struct epoll_event *events, int count, int timeout)
{
    UNLESS_ON(epoll_wait(epoll, events, count, timeout));
    if (descriptor_is_inside(epoll))
        return wait_epoll(epoll, events, count, duration_of_milliseconds(timeout), true,
                          CALLER);
    failure_uncontrolled("epoll_wait");
    snapshot_touch(events, (size_t)count * sizeof *events);
    return real.epoll_wait(epoll, events, count, timeout);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout,
                       const sigset_t *mask)
{
    UNLESS_ON(epoll_pwait(epoll, events, count, timeout, mask));
    read_limits(NULL, mask, CALLER);
    uint64_t old = signals_swap_mask(mask);
    int result =
        wait_epoll(epoll, events, count, duration_of_milliseconds(timeout), false, CALLER);
    signals_restore_mask(old);
    return result;
}

EXPORT int epoll_pwait2(int epoll, struct epoll_event *events, int count,
                        const struct timespec *timeout, const sigset_t *mask)
{
    UNLESS_ON(epoll_pwait2(epoll, events, count, timeout, mask));
    read_limits(timeout, mask, CALLER);
    uint64_t old = signals_swap_mask(mask);
    int result = wait_epoll(epoll, events, count, duration_of(timeout), false, CALLER);
    signals_restore_mask(old);
    return result;
}
