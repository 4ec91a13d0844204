/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=2 distinct=2 -- --spurious-wakeups
 * The wait is repeated once: a second wake-up without a signal is taken for the real one. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 2 && !ready; i++)
        pthread_cond_wait(&changed, &mutex);
    assert(ready); /* HERE */
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(waiter, NULL);
    return 0;
}
