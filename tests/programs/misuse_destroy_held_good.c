/* EXPECT verdict=pass exit=0 complete=true
 * The mutex is destroyed when the thread is gone. */
#include <pthread.h>

static pthread_mutex_t mutex;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_mutex_init(&mutex, NULL);
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex); /* HERE */
    return 0;
}
