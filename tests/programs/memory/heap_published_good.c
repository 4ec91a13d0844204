/* EXPECT verdict=passed exit=0 complete=true
 * The same with release and acquire; and a block that its own thread uses before. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *allocates(void *unused)
{
    int *block = calloc(4, sizeof *block);
    block[0] = 0;
    atomic_store_explicit(&published, block, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, allocates, NULL);
    int *block = atomic_load_explicit(&published, memory_order_acquire);
    int seen = block ? block[0] + block[1] : 0;
    free(block);
    pthread_join(thread, NULL);
    return seen;
}
