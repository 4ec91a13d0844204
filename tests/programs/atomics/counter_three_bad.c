/* EXPECT verdict=assertion exit=1 bound=1 executions=44 distinct=7
 * Three threads, one of which increments with a load and a store: one preemption inside that
 * one, during which another increments, loses an update. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    atomic_fetch_add(&counter, 1);
    return unused;
}

static void *broken_increment(void *unused)
{
    atomic_store(&counter, atomic_load(&counter) + 1);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, i == 1 ? broken_increment : increment, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&counter) == 3);
    return 0;
}
