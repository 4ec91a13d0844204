/* EXPECT verdict=store-buffer exit=7 says=happens_before_it:_wants[0] -- --store-buffers
 * EXPECT verdict=store-buffer exit=7 -- --store-buffers --strategy optimal --bound none
 * EXPECT verdict=store-buffer exit=7 -- --store-buffers --strategy icb
 * EXPECT verdict=passed exit=0 complete=true
 * Dekker's entry protocol with release and acquire: no interleaving lets both threads in, but a
 * CPU with store buffers does. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], inside;

static void *enter(void *argument)
{
    int self = argument != NULL;
    atomic_store_explicit(&wants[self], 1, memory_order_release);
    if (!atomic_load_explicit(&wants[1 - self], memory_order_acquire)) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
    }
    atomic_store_explicit(&wants[self], 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, enter, NULL);
    pthread_create(&thread[1], NULL, enter, &wants);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
