/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * The thread returns the same with and without a failed attempt. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long count;

static void *increment(void *unused)
{
    long last = 0, old = atomic_load(&count);
    (void)unused;
    for (;;) {
        if (old >= 2)
            return (void *)(last - last);
        last = old;
        if (atomic_compare_exchange_strong(&count, &old, old + 1))
            return NULL;
    }
}

static void *change(void *unused)
{
    atomic_fetch_add(&count, 1);
    atomic_fetch_add(&count, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, change, NULL);
    void *last;
    pthread_join(a, &last);
    pthread_join(b, NULL);
    assert(last != (void *)1);
    return 0;
}
