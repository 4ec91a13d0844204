/* EXPECT verdict=misuse exit=12 bound=0 location=HERE executions=1 distinct=1
 * A read-write lock is unlocked where tryrdlock failed, by a thread that does not hold it. The
 * writer keeps the lock until it is told. */
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t tried;

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    sem_wait(&tried);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *reader(void *unused)
{
    int error = pthread_rwlock_tryrdlock(&lock);
    if (error || !error)
        pthread_rwlock_unlock(&lock); /* HERE */
    sem_post(&tried);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&tried, 0, 0);
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
