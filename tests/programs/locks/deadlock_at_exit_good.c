/* EXPECT verdict=passed exit=0 complete=true executions=10 distinct=4
 * A detached worker that waits for work when main returns is not deadlocked: nobody holds what
 * it waits for, and the process may end under it. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (jobs == 0)
        pthread_cond_wait(&work, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    return 0;
}
