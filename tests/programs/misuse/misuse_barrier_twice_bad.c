/* EXPECT verdict=misuse exit=12 says=is_initialised_already
 * Two threads initialise the same barrier. */
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *begin(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
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
