/* EXPECT verdict=data-race exit=7 bound=1 executions=6 distinct=3
 * The result of trywrlock is ignored: where a reader is inside (one preemption), the write is
 * unprotected. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *unused)
{
    int seen = 0;
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        seen = value;
        pthread_rwlock_unlock(&lock);
    }
    return seen == 2 ? &value : unused;
}

static void *writer(void *unused)
{
    int error = pthread_rwlock_trywrlock(&lock);
    value = 1;
    if (!error)
        pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
