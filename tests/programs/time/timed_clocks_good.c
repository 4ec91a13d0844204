/* EXPECT verdict=passed exit=0 complete=true
 * Ten waits of a second each, by either clock: each ends by its time, while a lock is held for
 * an hour; ten seconds have passed, and an hour after it at the end, in no time. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t never;
static sem_t empty, finished;

static struct timespec later(clockid_t clock, int seconds)
{
    struct timespec when;
    clock_gettime(clock, &when);
    when.tv_sec += seconds;
    return when;
}

static long seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - start->tv_sec;
}

static void *holder(void *unused)
{
    pthread_rwlock_wrlock(&rwlock);
    sem_post(&empty);
    sem_wait(&finished);
    pthread_rwlock_unlock(&rwlock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_condattr_t attributes;
    struct timespec when, start;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&never, &attributes);
    sem_init(&empty, 0, 0);
    sem_init(&finished, 0, 0);
    pthread_create(&thread, NULL, holder, NULL);
    sem_wait(&empty);
    clock_gettime(CLOCK_MONOTONIC, &start);
    pthread_mutex_lock(&mutex);
    when = later(CLOCK_MONOTONIC, 1);
    assert(pthread_cond_timedwait(&never, &mutex, &when) == ETIMEDOUT);
    when = later(CLOCK_REALTIME, 1);
    assert(pthread_cond_clockwait(&never, &mutex, CLOCK_REALTIME, &when) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    when = later(CLOCK_REALTIME, 1);
    assert(pthread_rwlock_timedrdlock(&rwlock, &when) == ETIMEDOUT);
    when = later(CLOCK_REALTIME, 1);
    assert(pthread_rwlock_timedwrlock(&rwlock, &when) == ETIMEDOUT);
    when = later(CLOCK_MONOTONIC, 1);
    assert(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &when) == ETIMEDOUT);
    when = later(CLOCK_MONOTONIC, 1);
    assert(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &when) == ETIMEDOUT);
    when = later(CLOCK_REALTIME, 1);
    assert(sem_timedwait(&empty, &when) < 0 && errno == ETIMEDOUT);
    when = later(CLOCK_MONOTONIC, 1);
    assert(sem_clockwait(&empty, CLOCK_MONOTONIC, &when) < 0 && errno == ETIMEDOUT);
    when = later(CLOCK_MONOTONIC, 1);
    assert(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &when) == ETIMEDOUT);
    when = later(CLOCK_REALTIME, 1);
    assert(pthread_timedjoin_np(thread, NULL, &when) == ETIMEDOUT);
    assert(seconds_since(&start) >= 10);
    sem_post(&finished);
    pthread_join(thread, NULL);
    return 0;
}
