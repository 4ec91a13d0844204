/* EXPECT verdict=passed exit=0 complete=true
 * One post, one wait: who has waited may destroy and free the semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *waits(void *unused)
{
    sem_wait(semaphore);
    sem_destroy(semaphore);
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
    pthread_join(thread, NULL);
    return 0;
}
