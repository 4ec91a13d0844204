/* EXPECT verdict=crash exit=1 bound=0 location=HERE says=SIGILL executions=3 distinct=2
 * "Can't happen" is an illegal instruction; it happens when the second thread is first. */
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
    if (sem_trywait(&posted) != 0)
        __builtin_trap(); /* HERE */
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
