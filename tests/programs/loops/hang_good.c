/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * A long loop that ends is no hang. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int marked;

static void *scan(void *unused)
{
    int mark = atomic_load(&marked);
    volatile unsigned position = 0;
    while (position < 100000u - (unsigned)mark)
        position = position + 1;
    return unused;
}

static void *marker(void *unused)
{
    atomic_store(&marked, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, scan, NULL);
    pthread_create(&b, NULL, marker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
