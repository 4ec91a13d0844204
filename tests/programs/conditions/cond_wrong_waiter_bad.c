/* EXPECT verdict=deadlock exit=2 bound=0 executions=3 distinct=2
 * Two threads wait for different turns on one condition variable. The signal wakes one of them,
 * and it may be the one whose turn it is not: it waits again and the signal is lost. Both wait
 * first, then the third thread runs: switches at blocking operations only. */
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
    pthread_cond_signal(&changed);
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
