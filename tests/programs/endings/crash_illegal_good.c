/* EXPECT verdict=passed exit=0 complete=true executions=52 distinct=1
 * The second thread waits for the first. */
#include <pthread.h>
#include <semaphore.h>

static sem_t posted;

static void *first(void *unused)
{
    sem_post(&posted);
    return unused;
}

static void *second(void *unused)
{
    if (sem_wait(&posted) != 0)
        __builtin_trap();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&posted, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
