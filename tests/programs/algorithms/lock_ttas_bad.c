/* EXPECT verdict=data-race exit=7 bound=1 location=HERE executions=6 distinct=3
 * Test, then set with a plain store instead of an exchange: preempted in between, both enter.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int shared;

static void lock(void)
{
    while (atomic_load_explicit(&locked, memory_order_acquire)) {
    }
    atomic_store_explicit(&locked, 1, memory_order_relaxed);
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
