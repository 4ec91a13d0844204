/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * Without preemption, but the section yields: switching at a yield is no preemption. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    mazur_no_preempt_begin();
    int seen = atomic_load(&counter);
    mazur_yield();
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
