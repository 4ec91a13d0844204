/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * Read locks do not exclude each other, and do not order two readers either: writing under one
 * races in every interleaving. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *lookup(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    hits++; /* HERE */
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
