/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * A semaphore that starts with 1 is a mutex. Two orders, two traces. */
#include <pthread.h>
#include <semaphore.h>

static sem_t inside;
static int shared;

static void *worker(void *unused)
{
    sem_wait(&inside);
    shared++; /* HERE */
    sem_post(&inside);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&inside, 0, 1);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&inside);
    return 0;
}
