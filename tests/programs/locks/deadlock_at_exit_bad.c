/* EXPECT verdict=deadlock exit=2 bound=1 executions=20 distinct=14
 * main returns while two detached threads wait for each other for ever: they never end, and the
 * process only ends because main does. One preemption between two locks. */
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
    pthread_t thread;
    pthread_create(&thread, NULL, left_first, NULL);
    pthread_detach(thread);
    pthread_create(&thread, NULL, right_first, NULL);
    pthread_detach(thread);
    return 0;
}
