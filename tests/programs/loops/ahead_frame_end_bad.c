/* EXPECT verdict=memory-error exit=11 bound=0 says=use_after_return
 * A function returns although another thread waits for a change of its local variable. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_t thread;

__attribute__((noinline)) static void await(atomic_int *cell)
{
    while (atomic_load(cell) != 1)
        ;
}

static void *waiter(void *cell)
{
    atomic_store(&ready, 1);
    await(cell);
    return NULL;
}

__attribute__((noinline)) static void start(void)
{
    atomic_int state = 0;
    pthread_create(&thread, NULL, waiter, &state);
    await(&ready);
    atomic_store(&state, 2);
}

int main(void)
{
    start();
    pthread_join(thread, NULL);
    return 0;
}
