/* EXPECT verdict=data-race exit=7 bound=2
 * EXPECT verdict=data-race exit=7 bound=2 -- --idle-rounds=explore
 * EXPECT verdict=data-race exit=7 -- --strategy optimal --bound none
 * A failed attempt reads plain memory. The write comes later, and only if the thread has gone
 * on: an execution without the attempt has no race. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, done;
static int data;

static void *increment(void *unused)
{
    for (;;) {
        int old = atomic_load_explicit(&count, memory_order_relaxed);
        if (old == 0 && data != 0)
            return unused;
        if (atomic_compare_exchange_strong_explicit(&count, &old, old + 1, memory_order_relaxed,
                                                    memory_order_relaxed))
            break;
    }
    if (atomic_load_explicit(&count, memory_order_relaxed) == 11)
        atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

static void *change(void *unused)
{
    atomic_store_explicit(&count, 10, memory_order_relaxed);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        if (atomic_load_explicit(&count, memory_order_relaxed) == 10)
            return unused;
    data = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
