/* EXPECT verdict=nothing-found exit=0 complete=false executions=20 -- --execs 20
 * 300 threads at once, a few executions of it. */
#include <assert.h>
#include <pthread.h>

#define THREADS 300

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    static pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&thread[i], NULL, worker, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(counter == THREADS);
    return 0;
}
