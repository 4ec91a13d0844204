/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * The same without blocking it: it may come before pause(). */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t ready;
static pid_t id;
static volatile sig_atomic_t woken;

static void on_signal(int number)
{
    woken = number;
}

static void *sleeper(void *unused)
{
    id = gettid();
    sem_post(&ready);
    if (!woken)
        pause(); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, sleeper, NULL);
    sem_wait(&ready);
    assert(syscall(SYS_tgkill, getpid(), id, SIGUSR1) == 0);
    pthread_join(thread, NULL);
    assert(woken == SIGUSR1);
    return 0;
}
