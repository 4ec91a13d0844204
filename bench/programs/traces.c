/* Programs whose number of traces within bound 0, 1, 2, … is known; bench/known_counts.sh has
 * the numbers. N threads, chosen with
 *   -DBUFFERING     store buffering: two threads store to one variable and load the other
 *   -DVARIABLES=v   each thread adds to v variables in turn
 *   -DSWAP          each thread tries to swap 0 for 1 and then stores a value of its own */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

#if defined(BUFFERING)
static atomic_int stored[2];

static void *thread(void *number)
{
    int own = (int)(intptr_t)number;
    atomic_store(&stored[own], 1);
    (void)atomic_load(&stored[1 - own]);
    return NULL;
}
#elif defined(SWAP)
static atomic_int x;

static void *thread(void *number)
{
    int expected = 0;
    atomic_compare_exchange_strong(&x, &expected, 1);
    atomic_store(&x, 2 + (int)(intptr_t)number);
    return NULL;
}
#else
static atomic_int variable[VARIABLES];

static void *thread(void *number)
{
    (void)number;
    for (int i = 0; i < VARIABLES; i++)
        atomic_fetch_add(&variable[i], 1);
    return NULL;
}
#endif

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
