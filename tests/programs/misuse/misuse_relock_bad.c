/* EXPECT verdict=misuse exit=12 bound=0 location=HERE executions=1 distinct=1
 * A normal mutex is locked again by its owner. Taken only when the other thread was first. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int full, flushed;

static void flush(void)
{
    pthread_mutex_lock(&mutex); /* HERE */
    flushed++;
    pthread_mutex_unlock(&mutex);
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
