/* EXPECT verdict=passed exit=0 executions=2873 distinct=10 -- --bound 2
 * Several threads wait for different turns on one condition variable: a broadcast wakes them
 * all, and each looks whether it is its turn. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *take_turn(void *mine)
{
    pthread_mutex_lock(&mutex);
    while (turn != *(int *)mine)
        pthread_cond_wait(&changed, &mutex);
    turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    int number[3] = {1, 2, 0};
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, take_turn, &number[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
