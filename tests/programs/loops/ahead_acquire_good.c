/* EXPECT verdict=passed exit=0 complete=true distinct=1
 * The same with a read-modify-write, which continues the release sequence. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, started;
static int data;

static void *first(void *unused)
{
    while (!atomic_load_explicit(&started, memory_order_relaxed)) {
    }
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *second(void *unused)
{
    while (atomic_load_explicit(&flag, memory_order_relaxed) != 1) {
    }
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *third(void *unused)
{
    atomic_store_explicit(&started, 1, memory_order_relaxed);
    while (atomic_load_explicit(&flag, memory_order_acquire) != 2) {
    }
    return data == 1 ? unused : NULL;
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
