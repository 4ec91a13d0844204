/* EXPECT verdict=deadlock exit=2 bound=1 executions=6 distinct=3
 * Adaptive mutexes spin for a while before they block; a lock order inversion is a deadlock all
 * the same. One preemption between the two locks. */
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
    both(&right, &left);
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
