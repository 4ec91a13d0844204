/* EXPECT verdict=assertion exit=1 bound=0
 * EXPECT verdict=assertion exit=1 bound=0 -- --idle-rounds=explore
 * A round of two reads, idle from its beginning: switching threads there costs nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, state;

static void *waiter(void *unused)
{
    int first, second;
    atomic_store(&begun, 1);
    do {
        first = atomic_load(&state);
        second = atomic_load(&state);
    } while (first != 1 && second != 2);
    return unused;
}

static void *opener(void *unused)
{
    int seen = atomic_load(&begun);
    atomic_store(&state, 1);
    assert(seen == 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, opener, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
