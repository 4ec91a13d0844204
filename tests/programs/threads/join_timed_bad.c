/* EXPECT verdict=data-race exit=7
 * The result is read although pthread_tryjoin_np may have failed. */
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
    (void)when;
    (void)error;
    return result == 6;
    return 0;
}
