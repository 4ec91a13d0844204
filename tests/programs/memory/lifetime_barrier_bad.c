/* EXPECT verdict=memory-error exit=11
 * EXPECT verdict=memory-error exit=11 -- --strategy dpor
 * The last one to arrive frees the barrier without destroying it, while the other thread may be
 * on its way out of pthread_barrier_wait(). */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *meet(void *unused)
{
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        free(barrier);
    return unused;
}

int main(void)
{
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, meet, NULL);
    meet(NULL);
    pthread_join(thread, NULL);
    return 0;
}
