/* EXPECT verdict=passed exit=0 complete=true
 * Each thread has its own part of it. */
#include <alloca.h>
#include <pthread.h>
#include <stddef.h>

static long *volatile shared;
static pthread_barrier_t barrier;
static volatile size_t size = 64;

static void *first(void *unused)
{
    long *mine = alloca(size);
    mine[1] = 0;
    shared = mine;
    pthread_barrier_wait(&barrier);
    mine[1]++;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *second(void *unused)
{
    pthread_barrier_wait(&barrier);
    shared[2] = 2;
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
