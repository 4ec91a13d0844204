/* EXPECT verdict=passed exit=0
 * Timed read and write locks: one that was not had in time is not given back. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec soon(clockid_t clock)
{
    struct timespec when;
    clock_gettime(clock, &when);
    when.tv_sec++;
    return when;
}

static void *reader(void *unused)
{
    struct timespec when = soon(CLOCK_MONOTONIC);
    int error = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &when);
    if (error == 0)
        pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec when = soon(CLOCK_REALTIME);
    assert(pthread_rwlock_timedwrlock(&lock, &when) == 0);
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
