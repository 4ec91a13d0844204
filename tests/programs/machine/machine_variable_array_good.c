/* EXPECT verdict=passed exit=0 complete=true
 * Each thread has its own element. */
#include <pthread.h>

static int *volatile shared;
static pthread_barrier_t barrier;
static volatile int size = 5;

static void *first(void *unused)
{
    int array[size];
    array[3] = 0;
    shared = array;
    pthread_barrier_wait(&barrier);
    array[3] = 1;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *second(void *unused)
{
    pthread_barrier_wait(&barrier);
    int *array = shared;
    array[4] = 2;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
