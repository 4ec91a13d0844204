/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --idle-rounds=explore
 * An attempt after a wait for the same location: the thread was free to wait before the
 * attempt, so the attempt must not be taken for the beginning of all that. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, count, seen;

static void *change(void *unused)
{
    atomic_store(&begun, 1);
    while (atomic_load(&count) == 0)
        ;
    int old = atomic_load(&count);
    while (!atomic_compare_exchange_strong(&count, &old, old + 8))
        ;
    return unused;
}

static void *set(void *unused)
{
    atomic_store(&seen, atomic_load(&begun));
    atomic_store(&count, 1);
    atomic_store(&count, 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&seen) == 0 || atomic_load(&count) != 11);
    return 0;
}
