/* EXPECT verdict=passed exit=0 executions=1930 distinct=10 -- --bound 2
 * Two threads wait for the gate to open, and a broadcast wakes both. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open_gate;

static void *pass(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!open_gate)
        pthread_cond_wait(&opened, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *opener(void *unused)
{
    pthread_mutex_lock(&mutex);
    open_gate = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&opened);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, i < 2 ? pass : opener, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
