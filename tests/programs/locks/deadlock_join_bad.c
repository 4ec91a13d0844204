/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * main joins a thread while it holds the mutex which that thread needs. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_mutex_unlock(&mutex);
    return 0;
}
