/* EXPECT verdict=passed exit=0
 * The function joins the thread that waits for a change of its local variable. */
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
    atomic_store(&state, 1);
    pthread_join(thread, NULL);
}

int main(void)
{
    start();
    return 0;
}
