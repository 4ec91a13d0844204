/* EXPECT verdict=passed exit=0 complete=true distinct=24 -- --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=24 -- --strategy cbpor
 * An attempt that fails leaves the thread where it would be if it had begun later: four
 * increments by compare-exchange are four steps in any order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4

static atomic_int count;

static void *increment(void *unused)
{
    int old = atomic_load(&count);
    while (!atomic_compare_exchange_strong(&count, &old, old + 1))
        ;
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, increment, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&count) == THREADS);
    return 0;
}
