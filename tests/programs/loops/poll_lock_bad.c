/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * Polls a flag under a mutex, and forgets to unlock on the way out. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *poller(void *unused)
{
    int seen = 0;
    while (!seen) {
        pthread_mutex_lock(&mutex);
        seen = flag;
        if (!seen)
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
    pthread_t a, b, c;
    pthread_create(&a, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_create(&c, NULL, poller, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
