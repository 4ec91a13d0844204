/* EXPECT verdict=deadlock exit=2 bound=1 executions=6 distinct=3
 * Two locks taken in opposite orders. One preemption after the first lock of one thread lets
 * the other take the second lock; both then wait for ever. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *left_first(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *right_first(void *unused)
{
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left_first, NULL);
    pthread_create(&b, NULL, right_first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
