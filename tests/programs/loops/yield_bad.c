/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * The increment yields between load and store: switching there is free, so the lost update
 * needs no preemption. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    int seen = atomic_load(&counter);
    sched_yield();
    atomic_store(&counter, seen + 1);
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
