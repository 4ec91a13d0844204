/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=2
 * Yields around an atomic increment do no harm. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    sched_yield();
    atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&counter) == 2); /* HERE */
    return 0;
}
