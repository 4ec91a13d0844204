/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Without preemption between load and store no increment is lost. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    mazur_no_preempt_begin();
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
    mazur_no_preempt_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!mazur_running() || atomic_load(&counter) == 2); /* HERE */
    return 0;
}
