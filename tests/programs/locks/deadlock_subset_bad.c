/* EXPECT verdict=deadlock exit=2 bound=1 executions=112 distinct=8
 * main ends with pthread_exit and a third thread with return: what is left at the end are two
 * threads that wait for each other. One preemption between the two locks of one of them. */
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

static void *bystander(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, bystander, NULL);
    pthread_detach(thread);
    pthread_create(&thread, NULL, left_first, NULL);
    pthread_detach(thread);
    pthread_create(&thread, NULL, right_first, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
