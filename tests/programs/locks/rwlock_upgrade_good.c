/* EXPECT verdict=passed exit=0 complete=true executions=806 distinct=14
 * A reader gives up the read lock, takes the write lock and looks again. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int initialised;

static void *ensure(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int seen = initialised;
    pthread_rwlock_unlock(&lock);
    if (!seen) {
        pthread_rwlock_wrlock(&lock);
        if (!initialised)
            initialised = 1;
        pthread_rwlock_unlock(&lock);
    }
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
