/* EXPECT verdict=misuse exit=12 says=post_of_a_semaphore_that_was_destroyed
 * EXPECT verdict=misuse exit=12 -- --strategy sdpor
 * The waiter destroys the semaphore after the first of two posts. */
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *waits(void *unused)
{
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
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
