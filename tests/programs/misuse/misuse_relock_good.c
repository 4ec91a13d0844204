/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * The inner function has a variant for callers that hold the mutex. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int full, flushed;

static void flush(void)
{
    flushed++;
}

static void *writer(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (full)
        flush();
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *filler(void *unused)
{
    pthread_mutex_lock(&mutex);
    full = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, filler, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
