/* EXPECT verdict=passed exit=0 complete=true executions=3 distinct=2
 * A thread detaches itself, tells main by a semaphore, and ends; nobody joins it. */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *worker(void *unused)
{
    pthread_detach(pthread_self());
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, worker, NULL);
    sem_wait(&done);
    return 0;
}
