/* EXPECT verdict=data-race exit=7 bound=1 location=HERE executions=6 distinct=3
 * A semaphore used as a mutex starts with 2: both threads can be inside, after one preemption
 * inside the critical section. */
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
    sem_init(&inside, 0, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&inside);
    return 0;
}
