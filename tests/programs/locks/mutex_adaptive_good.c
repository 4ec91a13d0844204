/* EXPECT verdict=passed exit=0 complete=true executions=540 distinct=2
 * Adaptive mutexes, both threads take them in the same order. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t right = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one(void *unused)
{
    both(&left, &right);
    return unused;
}

static void *two(void *unused)
{
    both(&left, &right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
