/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * One unlock per lock on every path. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int closed;

static void *closer(void *unused)
{
    pthread_mutex_lock(&mutex);
    closed = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *writer(void *unused)
{
    pthread_mutex_lock(&mutex);
    int error = closed;
    pthread_mutex_unlock(&mutex);
    if (error)
        return &closed;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, closer, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
