/* EXPECT verdict=data-race exit=7 bound=0
 * A plain write to a location that another thread waits for: only the failed rounds race with
 * it, since the round that succeeds acquires the store after it. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int ready, state;

__attribute__((noinline)) static void await(atomic_int *cell)
{
    while (atomic_load(cell) != 1)
        ;
}

static void *waiter(void *unused)
{
    atomic_store(&ready, 1);
    await(&state);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    await(&ready); /* from here on it is known that such a read waits */
    memset((void *)&state, 2, sizeof state);
    atomic_store(&state, 1);
    pthread_join(thread, NULL);
    return 0;
}
