/* EXPECT verdict=assertion exit=1 bound=0 -- -DRAND
 * EXPECT verdict=assertion exit=1 bound=0 -- -DRANDOM
 * EXPECT verdict=assertion exit=1 bound=0 -- -DDRAND48
 * rand() and its like have one sequence for the process: who comes first gets the first number. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#if defined RAND
#define SEED()   srand(7)
#define NUMBER() rand()
#elif defined RANDOM
#define SEED()   srandom(7)
#define NUMBER() random()
#else
#define SEED()   srand48(7)
#define NUMBER() lrand48()
#endif

static long taken[2];

static void *take(void *at)
{
    *(long *)at = NUMBER();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    SEED();
    long first = NUMBER();
    SEED();
    pthread_create(&threads[0], NULL, take, &taken[0]);
#ifdef IN_ORDER
    pthread_join(threads[0], NULL);
#endif
    pthread_create(&threads[1], NULL, take, &taken[1]);
#ifndef IN_ORDER
    pthread_join(threads[0], NULL);
#endif
    pthread_join(threads[1], NULL);
    assert(taken[1] != first);
    return 0;
}
