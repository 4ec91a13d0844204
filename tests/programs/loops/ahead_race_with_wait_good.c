/* EXPECT verdict=passed exit=0 distinct=1
 * A store to a location that another thread waits for is no race. */
#include <pthread.h>
#include <stdatomic.h>

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
    atomic_store(&state, 2);
    atomic_store(&state, 1);
    pthread_join(thread, NULL);
    return 0;
}
