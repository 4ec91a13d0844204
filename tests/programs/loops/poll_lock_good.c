/* EXPECT verdict=nothing-found exit=0 complete=false executions=74 -- --bound 2 --depth 200
 * Polls a flag under a mutex. Locking writes, so the loop is not idle, and an unfair schedule
 * can go round for ever: such executions are cut at the step limit, said so, and are no
 * livelock, since the setter could go on at any time. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *poller(void *unused)
{
    int seen = 0;
    while (!seen) {
        pthread_mutex_lock(&mutex);
        seen = flag;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&mutex);
    flag++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
