/* EXPECT verdict=passed exit=0 complete=true executions=448 distinct=4
 * Test-and-test-and-set lock, no yield in its loops. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int shared;

static void lock(void)
{
    for (;;) {
        while (atomic_load_explicit(&locked, memory_order_relaxed)) {
        }
        if (!atomic_exchange_explicit(&locked, 1, memory_order_acquire))
            return;
    }
}

static void *worker(void *unused)
{
    lock();
    shared++; /* HERE */
    atomic_store_explicit(&locked, 0, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
