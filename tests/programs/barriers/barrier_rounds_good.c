/* EXPECT verdict=passed exit=0 complete=true distinct=36 -- --strategy auto
 * Three threads, two rounds: the orders of three arrivals, twice. Who leaves when does not count. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
