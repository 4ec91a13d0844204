/* EXPECT verdict=passed exit=0 complete=true executions=199 distinct=4
 * Where trylock fails the thread leaves the data alone. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
