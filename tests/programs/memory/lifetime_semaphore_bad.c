/* EXPECT verdict=memory-error exit=11
 * EXPECT verdict=memory-error exit=11 -- --strategy optimal
 * EXPECT verdict=memory-error exit=11 -- --strategy dfs --bound none
 * The waiter goes on after the first post and frees the semaphore, which is posted once more. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *waits(void *unused)
{
    sem_wait(semaphore);
    free(semaphore);
    return unused;
}

int main(void)
{
    semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    sem_post(semaphore);
    sem_post(semaphore);
    pthread_join(thread, NULL);
    return 0;
}
