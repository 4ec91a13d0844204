/* EXPECT verdict=passed exit=0 complete=true executions=26 distinct=2
 * Nobody signals: the wait times out, and the thread looks at the result. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_mutex_lock(&mutex);
    int error = 0;
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&condition, &mutex, &deadline);
    assert(ready || error == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *busy(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, busy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
