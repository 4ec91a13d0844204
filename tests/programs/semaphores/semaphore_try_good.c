/* EXPECT verdict=passed exit=0 complete=true executions=76 distinct=2
 * trywait fails with EAGAIN where nothing is posted, timedwait then waits for the post. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t posted;

static void *poster(void *unused)
{
    sem_post(&posted);
    return unused;
}

static void *waiter(void *unused)
{
    int failed = sem_trywait(&posted);
    if (failed) {
        assert(errno == EAGAIN);
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += 5;
        assert(sem_timedwait(&posted, &deadline) == 0);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int value = -1;
    sem_init(&posted, 0, 0);
    pthread_create(&a, NULL, poster, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_getvalue(&posted, &value);
    assert(value == 0);
    return 0;
}
