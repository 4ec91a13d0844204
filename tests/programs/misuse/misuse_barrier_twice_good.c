/* EXPECT verdict=passed exit=0 complete=true
 * It is destroyed before it is initialised again. */
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *begin(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, begin, NULL);
    begin(NULL);
    pthread_join(thread, NULL);
    return 0;
}
