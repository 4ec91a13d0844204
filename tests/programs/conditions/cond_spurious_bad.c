/* EXPECT verdict=passed exit=0 complete=true executions=81 distinct=2
 * EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 -- --spurious-wakeups
 * A wait without a loop is only right as long as nobody wakes up without reason, which POSIX
 * allows. The waiter blocks, then wakes up spuriously: no preemption. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_wait(&condition, &mutex);
    assert(ready); /* HERE */
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signaller(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, signaller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
