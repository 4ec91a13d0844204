/* EXPECT verdict=passed exit=0 complete=true distinct=11
 * The same with a read-modify-write, which continues the release sequence. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x, y;
static int d;

static void *first(void *unused)
{
    d = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    return unused;
}

static void *second(void *unused)
{
    while (!atomic_load_explicit(&y, memory_order_relaxed))
        if (atomic_load_explicit(&x, memory_order_relaxed))
            atomic_fetch_or_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *third(void *unused)
{
    int use = atomic_load_explicit(&x, memory_order_acquire) ? d : 0;
    atomic_store_explicit(&y, 1 + use, memory_order_relaxed);
    return unused;
}

int main(void)
{
    void *(*const start[])(void *) = {first, second, third};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, start[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
