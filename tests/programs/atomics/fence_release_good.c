/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * A release fence before a relaxed store pairs with an acquire load. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *unused)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    int seen = 42;
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data; /* HERE */
    return seen == 42 ? unused : &data;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
