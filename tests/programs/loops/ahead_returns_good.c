/* EXPECT verdict=passed exit=0 complete=true distinct=1 -- --strategy optimal
 * The way out of the loop is the end of the thread's function: a trial must stop there. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *waiter(void *unused)
{
    while (atomic_load(&state) != 2)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&state, 1);
    atomic_store(&state, 2);
    pthread_join(thread, NULL);
    return 0;
}
