/* EXPECT verdict=passed exit=0 complete=true executions=25424 distinct=6
 * Three threads increment an atomic counter once each: 3! traces. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, increment, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&counter) == 3);
    return 0;
}
