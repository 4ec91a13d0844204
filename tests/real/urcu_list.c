/* Userspace RCU (liburcu, memory-barrier flavour): a reader dereferences a published pointer
 * while the writer replaces it, waits for a grace period and frees the old one.
 * SEED: free without waiting for the readers. */
#define URCU_INLINE_SMALL_FUNCTIONS
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu/urcu-mb.h>

struct config {
    int a, b;
};

static struct config *current;

static void *reader(void *unused)
{
    urcu_mb_register_thread();
    urcu_mb_read_lock();
    struct config *config = rcu_dereference(current);
    assert(config->a + config->b == 10);
    urcu_mb_read_unlock();
    urcu_mb_unregister_thread();
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct config *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    *old = (struct config){1, 9};
    *new = (struct config){4, 6};
    current = old;
    pthread_create(&thread, NULL, reader, NULL);
    rcu_set_pointer(&current, new);
#ifndef SEED
    urcu_mb_synchronize_rcu();
#endif
    free(old);
    pthread_join(thread, NULL);
    free(new);
    return 0;
}
