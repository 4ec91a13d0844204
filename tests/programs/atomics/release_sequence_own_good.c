/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -DHEADS
 * In C a relaxed store continues the release sequence of its own thread (C11 5.1.2.4p10), also
 * after another thread's read-modify-write. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef HEADS
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        return unused;
#endif
    atomic_store_explicit(&flag, 3, memory_order_relaxed);
    return unused;
}

static void *middle(void *unused)
{
#ifdef HEADS
    int one = 1;
    atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_release,
                                            memory_order_relaxed);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, writer, NULL);
    pthread_create(&thread[1], NULL, middle, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 3)
        assert(data == 1);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
