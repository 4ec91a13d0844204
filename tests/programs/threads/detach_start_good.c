/* EXPECT verdict=passed exit=0 complete=true executions=10 distinct=3
 * A thread that is detached by its creator: whether it has started by then makes no difference
 * (5 traces if it did), whether it has ended does. */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *worker(void *unused)
{
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    sem_wait(&done);
    return 0;
}
