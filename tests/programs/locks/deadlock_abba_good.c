/* EXPECT verdict=passed exit=0 complete=true executions=540 distinct=2
 * Both threads take the locks in the same order; the outer one decides the trace: 2. */
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

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left_first, NULL);
    pthread_create(&b, NULL, left_first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
