/* EXPECT verdict=passed exit=0 executions=719 distinct=5 -- --bound 2
 * A relaxed read-modify-write by another thread continues the release sequence: whoever reads
 * its value is ordered after the writer. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused)
{
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *middle(void *unused)
{
    int one = 1;
    atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed,
                                            memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    int seen = 42;
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data;
    return seen == 42 ? unused : &data;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, writer, NULL);
    pthread_create(&thread[1], NULL, middle, NULL);
    pthread_create(&thread[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
