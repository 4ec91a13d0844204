/* EXPECT verdict=passed exit=0 -- --timeouts any
 * sem_clockwait that timed out has taken nothing. */
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
    assert(error != 0 || posted);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
