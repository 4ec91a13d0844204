/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * Two threads wait for the gate to open, one signal wakes only one of them. Both wait, then
 * the opener runs: no preemption. */
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
    pthread_cond_signal(&opened);
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
