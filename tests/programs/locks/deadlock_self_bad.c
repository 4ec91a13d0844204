/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * A semaphore serves as lock and is taken twice by the same thread, which alone could release
 * it: it waits for itself. */
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
