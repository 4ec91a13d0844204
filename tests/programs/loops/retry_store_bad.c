/* EXPECT verdict=assertion exit=1 bound=2
 * EXPECT verdict=assertion exit=1 bound=2 -- --idle-rounds=explore
 * EXPECT verdict=assertion exit=1 -- --strategy optimal --bound none
 * After it has given up, the thread stores what its failed attempt has read. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long count, seen;

static void *increment(void *unused)
{
    long last = 0, old = atomic_load(&count);
    for (;;) {
        if (old >= 2)
            break;
        last = old;
        if (atomic_compare_exchange_strong(&count, &old, old + 1))
            return unused;
    }
    atomic_store(&seen, last);
    return unused;
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
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&seen) != 1);
    return 0;
}
