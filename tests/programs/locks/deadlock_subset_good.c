/* EXPECT verdict=passed exit=0 executions=4307 distinct=11 -- --bound 2
 * main ends first, with pthread_exit; the process goes on until the last thread has ended.
 * Locks are taken in one order. */
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
    pthread_create(&thread, NULL, left_first, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
