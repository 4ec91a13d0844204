/* EXPECT verdict=misuse exit=12 bound=0 location=HERE executions=1 distinct=1
 * A condition variable is destroyed while a thread waits on it. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static int ready, waiting;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&mutex);
    waiting = 1;
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    if (waiting)
        pthread_cond_destroy(&condition); /* HERE */
    else
        pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_cond_init(&condition, NULL);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
