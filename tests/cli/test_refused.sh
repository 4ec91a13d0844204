# Calls that Mazur knows and does not model: an error that names the call, never a wrong answer.
cat >refused.c <<'C'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
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
#elif defined ROBUST
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
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
#elif defined EXEC
    char *arguments[] = {"true", 0};
    execvp("true", arguments);
#endif
    return nothing(0);
}
C

t "nothing to refuse"
expect 0 "$MAZUR" check refused.c

for pair in "CLONE:clone is not supported" "CLONE3:syscall(SYS_clone3) is not supported" \
    "LOCK_PI:futex operation 6 is not supported" "ROBUST:robust mutexes" \
    "TIMER_THREAD:timer_create is not supported" "ITIMER:setitimer of processor time" \
    "SIGNALFD:signalfd is not supported" "SIGQUEUE:sigqueue is not supported" \
    "SEMOP:semop is not supported" "MSGRCV:msgrcv is not supported" \
    "EXEC:execvp is not supported"; do
    t "refused: ${pair%%:*}"
    expect 6 "$MAZUR" check refused.c "-D${pair%%:*}"
    says out "invalid test" "${pair#*:}"
done
