/* EXPECT verdict=assertion exit=1 bound=1 location=HERE
 * sem_wait is believed to return only with the semaphore taken. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t items;

static void on_signal(int number)
{
    (void)number;
}

static void *taker(void *unused)
{
    assert(sem_wait(&items) == 0); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, taker, NULL);
    pthread_kill(thread, SIGUSR1);
    sem_post(&items);
    pthread_join(thread, NULL);
    return 0;
}
