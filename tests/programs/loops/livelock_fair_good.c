/* EXPECT verdict=nothing-found exit=0 complete=false -- --strategy bpor --fair 1 --depth 300
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy bpor --fair 0 --bound none --depth 300
 * A thread yields while it waits, and writes: the fair bound ends its endless executions, and the
 * result says that these were left out. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready, rounds;

static void *wait_for_it(void *unused)
{
    while (!atomic_load(&ready)) {
        atomic_fetch_add(&rounds, 1);
        sched_yield();
    }
    return unused;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    atomic_store(&ready, 1);
    pthread_join(waiter, NULL);
    return 0;
}
