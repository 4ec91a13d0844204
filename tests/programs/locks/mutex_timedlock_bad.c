/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * The holder waits for the other thread, which waits for the lock with a time-out. Nothing
 * else can run: the lock attempt times out, which the assertion denies. */
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
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    int error = pthread_mutex_timedlock(&mutex, &deadline);
    assert(error == 0); /* HERE */
    pthread_mutex_unlock(&mutex);
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
    return 0;
}
