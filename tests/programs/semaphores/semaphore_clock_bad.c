/* EXPECT verdict=assertion exit=1 -- --timeouts any
 * A time-out of sem_clockwait is taken for success. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items;
static int posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *poster(void *unused)
{
    pthread_mutex_lock(&lock);
    posted = 1;
    pthread_mutex_unlock(&lock);
    sem_post(&items);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec when;
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, poster, NULL);
    clock_gettime(CLOCK_MONOTONIC, &when);
    when.tv_sec++;
    int error = sem_clockwait(&items, CLOCK_MONOTONIC, &when);
    pthread_mutex_lock(&lock);
    (void)error;
    assert(posted);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
