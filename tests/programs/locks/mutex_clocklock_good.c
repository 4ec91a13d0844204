/* EXPECT verdict=passed exit=0 complete=true executions=92 distinct=2
 * clocklock; the same, where a time-out is handled: the thread goes away and the holder goes
 * on. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t gone;

static void *holder(void *unused)
{
    pthread_mutex_lock(&mutex);
    sem_wait(&gone);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *hasty(void *unused)
{
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec++;
    int error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline);
    if (error == 0)
        pthread_mutex_unlock(&mutex);
    else
        assert(error == ETIMEDOUT);
    sem_post(&gone);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&gone, 0, 0);
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, hasty, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&gone);
    return 0;
}
