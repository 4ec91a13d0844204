/* EXPECT verdict=passed exit=0 complete=true
 * pthread_barrier_destroy() waits for the threads that have still to leave, so that the memory can
 * be freed, or used for another barrier. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *meet(void *unused)
{
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        pthread_barrier_init(barrier, NULL, 1);
        pthread_barrier_wait(barrier);
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
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
