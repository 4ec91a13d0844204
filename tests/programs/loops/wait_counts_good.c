/* EXPECT verdict=nothing-found exit=0 complete=false
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy dpor
 *
 * The same with the data before the flag. Not every number of rounds is tried, so nothing is
 * called complete, nor a bound passed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data, rounds;

static void *produce(void *unused)
{
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t producer;
    long counted = 0;
    pthread_create(&producer, NULL, produce, NULL);
    while (!atomic_load(&flag)) {
        counted++;
        atomic_fetch_add(&rounds, 1);
    }
    assert(atomic_load(&data) == 1 || counted < 0);
    pthread_join(producer, NULL);
    return 0;
}
