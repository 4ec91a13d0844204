/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * Nobody signals: the wait times out when nothing else can run, and the assertion takes it for
 * a wake-up. */
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
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_mutex_lock(&mutex);
    int error = 0;
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&condition, &mutex, &deadline);
    assert(ready); /* HERE */
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *busy(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, busy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
