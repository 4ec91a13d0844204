/* EXPECT verdict=passed exit=0 executions=41 distinct=4 -- --bound 2
 * Two rounds through one barrier: what each thread wrote before it, the other reads after it,
 * without a race. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int slot[2];

static void *worker(void *argument)
{
    int me = *(int *)argument;
    slot[me] = 1;
    pthread_barrier_wait(&barrier);
    assert(slot[1 - me] == 1);
    pthread_barrier_wait(&barrier);
    slot[me] = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    int number[2] = {0, 1};
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
