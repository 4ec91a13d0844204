/* EXPECT verdict=invalid-test exit=6 says=threads executions=1 distinct=1
 * 600 threads at once are more than one execution may have: said clearly, not a crash. */
#include <assert.h>
#include <pthread.h>

#define THREADS 600

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
