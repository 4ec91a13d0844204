/* EXPECT verdict=passed exit=0 complete=true
 * A second attempt stores another value than a first one would, but not that one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, ready;

static void *change(void *unused)
{
    atomic_store(&ready, 1);
    int old = atomic_load(&count);
    int wanted = old + 1;
    while (!atomic_compare_exchange_strong(&count, &old, wanted))
        wanted = old + 2;
    return unused;
}

static void *set(void *unused)
{
    atomic_store(&count, 5);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&count) != 8);
    return 0;
}
