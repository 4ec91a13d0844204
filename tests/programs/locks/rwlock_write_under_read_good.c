/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * Writing under the write lock: two orders, two traces. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *lookup(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    hits++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, lookup, NULL);
    pthread_create(&b, NULL, lookup, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
