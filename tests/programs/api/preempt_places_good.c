/* EXPECT verdict=passed exit=0 complete=false -- --preempt-only main
 * EXPECT verdict=passed exit=0 complete=false -- --no-preempt add
 * EXPECT verdict=passed exit=0 complete=false -- --no-preempt count
 * The same program: without a preemption inside add() nothing is lost, and the result says that
 * preemptions were left out. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void add(void)
{
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
}

static void *worker(void *unused)
{
    add();
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(count == 2);
    return 0;
}
