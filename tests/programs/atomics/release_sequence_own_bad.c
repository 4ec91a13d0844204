/* EXPECT verdict=data-race exit=7
 * The writer's relaxed store continues its own release sequence, not that of the thread whose
 * read-modify-write came before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 2)
        atomic_store_explicit(&flag, 3, memory_order_relaxed);
    return unused;
}

static void *middle(void *unused)
{
    data = 1;
    int one = 1;
    atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_release,
                                            memory_order_relaxed);
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
