/* EXPECT verdict=passed exit=0 complete=true says=SC,_store_buffers_checked -- --store-buffers
 * Dekker's entry protocol with a fence between store and load: store
 * buffers change nothing, and release and acquire are enough for the rest. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], inside;

static void *enter(void *argument)
{
    int self = argument != NULL;
    atomic_store_explicit(&wants[self], 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
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
    return atomic_load_explicit(&wants[0], memory_order_acquire); /* a join comes after what was stored */
}
