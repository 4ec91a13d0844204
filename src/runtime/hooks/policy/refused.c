/* Calls that Mazur knows and does not model: each is an error that names it, because going on
 * would give a wrong answer (a real wait, threads that nobody controls, or the end of the
 * process under search). Outside control they are what they always were. */
#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/libc/libc_table.h"

void refuse_call(const char *call, const char *why, uint64_t pc)
{
    failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                  "%s is not supported: %s", call, why);
}

#define REFUSED(type, name, parameters, arguments, why)                                        \
    REFUSED_WHERE(true, type, name, parameters, arguments, why)

#define REFUSED_WHERE(condition, type, name, parameters, arguments, why)                       \
    EXPORT type name parameters                                                                \
    {                                                                                          \
        static type(*next) parameters;                                                         \
        if (rt.on && (condition))                                                              \
            refuse_call(#name, why, CALLER);                                                        \
        if (next == NULL)                                                                      \
            next = (type(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, #name);                     \
        return next arguments;                                                                 \
    }

#define SIGNALS "signals with values and signal descriptors are not modelled"
REFUSED(int, sigqueue, (pid_t process, int number, const union sigval value),
        (process, number, value), SIGNALS)
REFUSED(int, pthread_sigqueue, (pthread_t thread, int number, const union sigval value),
        (thread, number, value), SIGNALS)
REFUSED(int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags), SIGNALS)

#define OLD_SIGNALS "sigaction(), sigsuspend() and kill() are what is modelled"
typedef void (*signal_handler)(int);
REFUSED(signal_handler, sigset, (int number, signal_handler handler), (number, handler),
        OLD_SIGNALS)
REFUSED(int, killpg, (pid_t group, int number), (group, number), OLD_SIGNALS)

#define THREADS "libc would start threads for it that nobody controls"
REFUSED(int, aio_read, (struct aiocb * request), (request), THREADS)
REFUSED(int, aio_write, (struct aiocb * request), (request), THREADS)
REFUSED(int, aio_fsync, (int operation, struct aiocb *request), (operation, request), THREADS)
REFUSED(int, lio_listio,
        (int mode, struct aiocb *const list[restrict], int count,
         struct sigevent *restrict event),
        (mode, list, count, event), THREADS)
REFUSED(int, mq_notify, (mqd_t queue, const struct sigevent *event), (queue, event), THREADS)

#define WAITS "a wait in it would be for real"
REFUSED(ssize_t, mq_receive, (mqd_t queue, char *message, size_t size, unsigned *priority),
        (queue, message, size, priority), WAITS)
REFUSED(int, mq_send, (mqd_t queue, const char *message, size_t size, unsigned priority),
        (queue, message, size, priority), WAITS)
REFUSED(int, semop, (int set, struct sembuf *operations, size_t count),
        (set, operations, count), WAITS)
REFUSED(ssize_t, msgrcv, (int queue, void *message, size_t size, long type, int flags),
        (queue, message, size, type, flags), WAITS)

REFUSED(ssize_t, mq_timedreceive,
        (mqd_t queue, char *restrict message, size_t size, unsigned *restrict priority,
         const struct timespec *restrict when),
        (queue, message, size, priority, when), WAITS)
REFUSED(int, mq_timedsend,
        (mqd_t queue, const char *message, size_t size, unsigned priority,
         const struct timespec *when),
        (queue, message, size, priority, when), WAITS)
REFUSED(int, semtimedop,
        (int set, struct sembuf *operations, size_t count, const struct timespec *limit),
        (set, operations, count, limit), WAITS)
REFUSED(int, msgsnd, (int queue, const void *message, size_t size, int flags),
        (queue, message, size, flags), WAITS)

#define BETWEEN "pipes and sockets between threads are read and written by other calls only"
REFUSED_WHERE(descriptor_is_inside(fd), int, recvmmsg,
              (int fd, struct mmsghdr *messages, unsigned count, int flags,
               struct timespec *limit),
              (fd, messages, count, flags, limit), BETWEEN)
REFUSED_WHERE(descriptor_is_inside(fd), int, sendmmsg,
              (int fd, struct mmsghdr *messages, unsigned count, int flags),
              (fd, messages, count, flags), BETWEEN)
REFUSED_WHERE(descriptor_is_inside(from) || descriptor_is_inside(to), ssize_t, tee,
              (int from, int to, size_t size, unsigned flags), (from, to, size, flags), BETWEEN)
REFUSED_WHERE(descriptor_is_inside(fd), ssize_t, vmsplice,
              (int fd, const struct iovec *parts, size_t count, unsigned flags),
              (fd, parts, count, flags), BETWEEN)

/* The ceiling lies in the lock word, where Mazur keeps whether the mutex is held. Priority
 * inheritance changes nothing about who may run when. */
static bool is_ceiling(pthread_mutexattr_t *attributes, int protocol, uint64_t pc)
{
    caller_writes(attributes, sizeof *attributes, pc);
    return protocol == PTHREAD_PRIO_PROTECT;
}

REFUSED_WHERE(is_ceiling(attributes, protocol, CALLER), int, pthread_mutexattr_setprotocol,
              (pthread_mutexattr_t * attributes, int protocol), (attributes, protocol),
              "PTHREAD_PRIO_PROTECT, priority ceilings, are not modelled")

/* A shell that runs a single command has no threads: it may become that command. */
#define REPLACES                                                                               \
    "it would replace the program under search (in a process after fork() it is fine)"
void libc_replaces_program(const uint64_t *argument, uint64_t pc)
{
    (void)argument;
    if (rt.board->started_threads)
        refuse_call("exec", REPLACES, pc);
}

REFUSED_WHERE(rt.board->started_threads, int, execve,
              (const char *path, char *const arguments[], char *const environment[]),
              (path, arguments, environment), REPLACES)
REFUSED_WHERE(rt.board->started_threads, int, execv,
              (const char *path, char *const arguments[]), (path, arguments), REPLACES)
REFUSED_WHERE(rt.board->started_threads, int, execvp,
              (const char *file, char *const arguments[]), (file, arguments), REPLACES)
REFUSED_WHERE(rt.board->started_threads, int, execvpe,
              (const char *file, char *const arguments[], char *const environment[]),
              (file, arguments, environment), REPLACES)

/* clone(2) of libc takes further arguments that only its flags tell the number of; all are
 * handed on. */
EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    static int (*next)(int (*)(void *), void *, int, void *, ...);
    if (rt.on)
        refuse_call("clone", "the program would make threads or processes that nobody controls",
               CALLER);
    if (next == NULL)
        next = (int (*)(int (*)(void *), void *, int, void *, ...))(uintptr_t)dlsym(RTLD_NEXT,
                                                                                    "clone");
    va_list list;
    va_start(list, argument);
    void *parent = va_arg(list, void *);
    void *tls = va_arg(list, void *);
    void *child = va_arg(list, void *);
    va_end(list);
    return next(function, stack, flags, argument, parent, tls, child);
}

/* futex_waitv, futex_wake, futex_wait, futex_requeue, by number: they are younger than many
 * headers. */
static bool is_new_futex(long number)
{
    return number == 449 || (number >= 454 && number <= 456);
}

void refuse_syscall(long number, uint64_t pc)
{
    if (is_new_futex(number))
        refuse_call(number == 449 ? "syscall(SYS_futex_waitv)"
                             : "syscall(SYS_futex_wait), _wake or _requeue",
               "futex(2) is what is modelled", pc);
    if (number == SYS_clone || number == SYS_clone3 || number == SYS_vfork ||
        number == SYS_fork)
        refuse_call(number == SYS_clone    ? "syscall(SYS_clone)"
               : number == SYS_clone3 ? "syscall(SYS_clone3)"
               : number == SYS_fork   ? "syscall(SYS_fork)"
                                      : "syscall(SYS_vfork)",
               "the program would make threads or processes that nobody controls", pc);
}

REFUSED(int, unshare, (int flags), (flags), "the process would leave its surroundings")
