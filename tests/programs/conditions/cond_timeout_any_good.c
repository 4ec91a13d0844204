/* EXPECT verdict=passed exit=0 complete=true executions=81 distinct=2
 * EXPECT verdict=passed exit=0 complete=true executions=438 distinct=3 -- --timeouts=any
 * The waiter is right in both cases: woken by a signal or by a time-out. */
#define _GNU_SOURCE
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
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec++;
    pthread_mutex_lock(&mutex);
    int error = 0;
    while (!ready && error == 0)
        error = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &deadline);
    assert(ready || error == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signaller(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, signaller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
