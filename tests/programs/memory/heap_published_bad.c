/* EXPECT verdict=data-race exit=7 says=data_race_with_the_allocation
 * EXPECT verdict=data-race exit=7 says=data_race_with_the_allocation -- -DFREES
 * A block is published by a relaxed store: who loads it may find anything there, even where the
 * block was never written. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *allocates(void *unused)
{
    atomic_store_explicit(&published, calloc(4, sizeof(int)), memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, allocates, NULL);
    int *block = atomic_load_explicit(&published, memory_order_relaxed);
#ifdef FREES
    free(block);
    int seen = 0;
#else
    int seen = block ? block[1] : 0;
#endif
    pthread_join(thread, NULL);
    return seen;
}
