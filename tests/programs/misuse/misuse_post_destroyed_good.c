/* EXPECT verdict=passed exit=0 complete=true
 * The waiter takes both posts before it destroys the semaphore, and may make a new one. */
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *waits(void *unused)
{
    sem_wait(&semaphore);
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    return unused;
}

int main(void)
{
    sem_init(&semaphore, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    sem_post(&semaphore);
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
