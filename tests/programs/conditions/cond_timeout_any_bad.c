/* EXPECT verdict=passed exit=0 complete=true executions=81 distinct=2
 * EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 -- --timeouts=any
 * The signaller comes sooner or later, so where time-outs only happen when nothing else can run
 * the waiter is always woken. Where they may happen at any time it may see one first: the
 * waiter blocks, and waking up by time-out is no preemption. */
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
    assert(ready); /* HERE */
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
