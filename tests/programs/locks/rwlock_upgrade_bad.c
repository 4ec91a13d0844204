/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * A reader takes the write lock without giving up its read lock: it waits for itself, in the
 * first execution. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int initialised;

static void *ensure(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int seen = initialised;
    if (!seen) {
        pthread_rwlock_wrlock(&lock);
        initialised = 1;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, ensure, NULL);
    pthread_create(&b, NULL, ensure, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
