/* EXPECT verdict=assertion exit=1 bound=2
 * A thread that gives up after an attempt that failed has not begun later: its increment is
 * lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4

static atomic_int count;

static void *increment(void *unused)
{
    int old = atomic_load(&count);
    if (!atomic_compare_exchange_strong(&count, &old, old + 1)) {
        int seen = old;
        if (!atomic_compare_exchange_strong(&count, &old, old + 1))
            atomic_store(&count, seen + 1);
    }
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, increment, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&count) == THREADS);
    return 0;
}
