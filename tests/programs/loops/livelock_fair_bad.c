/* EXPECT verdict=livelock exit=3 bound=1 says=--fair_1 -- --strategy bpor --fair 1 --depth 300
 * EXPECT verdict=livelock exit=3 -- --strategy bpor --fair 0 --bound none --depth 300
 * A thread waits without yielding, and writes while it waits. No cycle can be seen in who runs, but
 * the fair bound, which counts yields, does not end it: paper 002, Algorithm 4, line 3. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, rounds;

static void *wait_for_it(void *unused)
{
    while (!atomic_load(&ready))
        atomic_fetch_add(&rounds, 1);
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
