/* EXPECT verdict=passed exit=0
 * pthread_tryjoin_np and pthread_timedjoin_np: the result is read only after a join that
 * succeeded. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int result;

static void *worker(void *unused)
{
    result = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec when;
    pthread_create(&thread, NULL, worker, NULL);
    int error = pthread_tryjoin_np(thread, NULL);
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec += 1000;
    if (error == EBUSY)
        error = pthread_timedjoin_np(thread, NULL, &when);
    assert(error == 0 && result == 5);
    return 0;
}
