/* N dining philosophers, each eating MEALS times. Everybody takes the left fork first and they
 * can deadlock (with one preemption: the first one keeps its fork, and the others come in the
 * order in which each finds its second fork taken); with -DORDERED the last one takes the right
 * fork first, and they can't. */
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef MEALS
#define MEALS 1
#endif

static pthread_mutex_t fork_mutex[N];

static void *philosopher(void *number)
{
    int one = (int)(intptr_t)number, other = (one + 1) % N;
#ifdef ORDERED
    if (other < one) {
        other = one;
        one = 0;
    }
#endif
    for (int meal = 0; meal < MEALS; meal++) {
        pthread_mutex_lock(&fork_mutex[one]);
        pthread_mutex_lock(&fork_mutex[other]);
        pthread_mutex_unlock(&fork_mutex[other]);
        pthread_mutex_unlock(&fork_mutex[one]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_mutex[i], NULL);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
