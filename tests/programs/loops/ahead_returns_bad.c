/* EXPECT verdict=livelock exit=3 bound=0
 * The way out of the loop would be the end of the thread, but nobody opens it. */
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
    pthread_join(thread, NULL);
    return 0;
}
