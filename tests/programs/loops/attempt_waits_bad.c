/* EXPECT verdict=assertion exit=1 bound=0
 * EXPECT verdict=assertion exit=1 bound=0 -- --strategy cbpor --bound 0
 * A compare-exchange that expects another value than was read waits while the count is odd. To
 * switch threads there costs nothing, so the attempt must not be taken out: without it, the
 * same end costs a preemption. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count = 1, begun, seen;

static void *change(void *unused)
{
    atomic_store(&begun, 1);
    int old = atomic_load(&count) & ~1;
    while (!atomic_compare_exchange_strong(&count, &old, old + 1))
        old &= ~1;
    return unused;
}

static void *set(void *unused)
{
    atomic_store(&seen, atomic_load(&begun));
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
    assert(atomic_load(&seen) == 0 || atomic_load(&count) != 3);
    return 0;
}
