/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --idle-rounds=explore
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * A failed attempt reads plain memory; the write comes later, in the order that the flag makes.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, done;
static int data;

static void *increment(void *unused)
{
    for (;;) {
        int old = atomic_load_explicit(&count, memory_order_seq_cst);
        if (old == 0 && data != 0)
            return unused;
        if (atomic_compare_exchange_strong_explicit(&count, &old, old + 1, memory_order_seq_cst,
                                                    memory_order_seq_cst))
            break;
    }
    if (atomic_load_explicit(&count, memory_order_seq_cst) == 11)
        atomic_store_explicit(&done, 1, memory_order_seq_cst);
    return unused;
}

static void *change(void *unused)
{
    atomic_store_explicit(&count, 10, memory_order_seq_cst);
    while (!atomic_load_explicit(&done, memory_order_seq_cst))
        if (atomic_load_explicit(&count, memory_order_seq_cst) == 10)
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
