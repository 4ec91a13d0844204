/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The lock is released before it is taken again. One thread at a time: one execution. */
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;

static void inner(void)
{
    sem_wait(&lock);
    sem_post(&lock);
}

static void *outer(void *unused)
{
    sem_wait(&lock);
    sem_post(&lock);
    inner();
    sem_post(&lock);
    return unused;
}

int main(void)
{
    pthread_t a;
    sem_init(&lock, 0, 1);
    pthread_create(&a, NULL, outer, NULL);
    pthread_join(a, NULL);
    return 0;
}
