/* EXPECT verdict=misuse exit=12 bound=0 executions=1 distinct=1
 * A detached thread is joined. */
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
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_detach(a);
    sem_wait(&done);
    pthread_join(a, NULL);
    return 0;
}
