/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * A lock made of compare-exchange that spins on failure. */
#include <pthread.h>
#include <stdatomic.h>

#define RELEASE memory_order_release

static atomic_int lock;
static int shared;

static void *worker(void *unused)
{
    int expected;
    do
        expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed));
    shared++;
    atomic_store_explicit(&lock, 0, RELEASE);
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
