/* EXPECT verdict=passed exit=0 executions=2534 distinct=6 -- --bound 2
 * Ticket lock, three threads, spin loop without yield. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int shared;

static void *worker(void *unused)
{
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {
    }
    shared++; /* HERE */
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return shared != 3;
}
