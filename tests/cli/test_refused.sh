#!/bin/bash
# Calls that Mazur knows but does not model: an error that names the call, never a wrong answer.
. "$(dirname "$0")/lib.sh"
cat >refused.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static int word;
static int nothing(void *unused)
{
    (void)unused;
    return word;
}
static void *worker(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
#ifdef CLONE
    clone(nothing, (char *)malloc(65536) + 65536, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0);
#elif defined CLONE3
    syscall(SYS_clone3, 0, 0);
#elif defined LOCK_PI
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, 0, 0, 0);
#elif defined CANCEL
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    pthread_cancel(pthread_self());
#elif defined TIMER_THREAD
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
#elif defined ITIMER
    struct itimerval value = {.it_value = {1, 0}};
    setitimer(ITIMER_VIRTUAL, &value, 0);
#elif defined SIGNALFD
    sigset_t set;
    sigemptyset(&set);
    signalfd(-1, &set, 0);
#elif defined SIGQUEUE
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 1});
#elif defined SEMOP
    semop(0, 0, 0);
#elif defined MSGRCV
    msgrcv(0, 0, 0, 0, 0);
#elif defined SETUID
    setuid(getuid() + 1);
#elif defined SETGROUPS
    gid_t group = 12345;
    setgroups(1, &group);
#elif defined SAME_USER
    if (setuid(getuid()) || seteuid(geteuid()) || setgid(getgid()) || setreuid(-1, getuid()))
        return 1;
#elif defined MSGSND
    msgsnd(0, &word, 0, 0);
#elif defined CEILING
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
#elif defined WAITV
    syscall(449, 0, 0, 0, 0, 0);
#elif defined BETWEEN
    int end[2];
    struct iovec part = {&word, 1};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    BETWEEN
#elif defined EXEC
    char *arguments[] = {"true", 0};
    execvp("true", arguments);
#endif
    return nothing(0);
}
C

t "nothing to refuse"
expect 0 "$MAZUR" check refused.c
expect 0 "$MAZUR" check refused.c -DSAME_USER

for pair in "CLONE:clone is not supported" "CLONE3:syscall(SYS_clone3) is not supported" \
    "LOCK_PI:futex operation 6 is not supported" \
    "CANCEL:asynchronous cancellation is not supported" \
    "TIMER_THREAD:timer_create is not supported" "ITIMER:setitimer of processor time" \
    "SIGNALFD:signalfd is not supported" "SIGQUEUE:sigqueue is not supported" \
    "SEMOP:semop is not supported" "MSGRCV:msgrcv is not supported" \
    "SETUID:setuid is not supported" "SETGROUPS:setgroups is not supported" \
    "MSGSND:msgsnd is not supported" "CEILING:pthread_mutexattr_setprotocol is not supported" \
    "WAITV:syscall(SYS_futex_waitv) is not supported" "EXEC:execvp is not supported"; do
    t "refused: ${pair%%:*}"
    expect 6 "$MAZUR" check refused.c "-D${pair%%:*}"
    says out "invalid test" "${pair#*:}"
done

for pair in "tee:pipe(end); tee(end[0], end[1], 1, 0);" "vmsplice:pipe(end); vmsplice(end[1], &part, 1, 0);" \
    "recvmmsg:socketpair(AF_UNIX, SOCK_DGRAM, 0, end); recvmmsg(end[0], &message, 1, 0, 0);" \
    "sendmmsg:socketpair(AF_UNIX, SOCK_DGRAM, 0, end); sendmmsg(end[0], &message, 1, 0);"; do
    t "refused between threads: ${pair%%:*}"
    expect 6 "$MAZUR" check refused.c "-DBETWEEN=${pair#*:}"
    says out "invalid test" "${pair%%:*} is not supported: pipes and sockets between threads"
done

# Harmless calls that Mazur does not control: named in the result, which is never complete.
cat >listed.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>
static void *worker(void *unused)
{
    return unused;
}
int main(void)
{
    pthread_t thread;
    int end[2], fd = open("/proc/self/exe", O_RDONLY);
    struct flock lock = {.l_type = F_RDLCK};
    struct addrinfo *found;
    pthread_create(&thread, 0, worker, 0);
    CALL
    pthread_join(thread, 0);
    return end == 0 || fd < 0 || lock.l_len || &found == 0;
}
C
for pair in "flock:flock(fd, LOCK_SH);" "file locks (fcntl):fcntl(fd, F_OFD_SETLKW, &lock);" \
    "lockf:lockf(fd, F_TEST, 1);" "getaddrinfo:getaddrinfo(\"127.0.0.1\", 0, 0, &found);" \
    "mkfifo:mkfifo(\"/\", 0600);" "shmat:shmat(-1, 0, 0);" \
    "stdio on a pipe or socket:pipe(end); dup2(end[0], 0);" \
    "mmap of a file as shared memory:fd = memfd_create(\"x\", 0); ftruncate(fd, 4096); mmap(0, 4096, PROT_WRITE, MAP_SHARED, fd, 0);"; do
    t "listed: ${pair%%:*}"
    expect 0 "$MAZUR" check listed.c "-DCALL=${pair#*:}" --json r.json
    says r.json "\"${pair%%:*}\"" '"complete": false'
done
t "nothing to list"
expect 0 "$MAZUR" check listed.c -DCALL= --json r.json
says r.json '"complete": true'

end_of_file
