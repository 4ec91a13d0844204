/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * The signal is not blocked between the test and pause(): when it comes in between, nothing
 * ends the pause. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t ready;
static volatile sig_atomic_t woken;

static void on_signal(int number)
{
    woken = number;
}

static void *sleeper(void *unused)
{
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
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
