/* EXPECT verdict=deadlock exit=2
 * The mutex is not robust: its owner ends with it, and the other thread waits for ever. */
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED);
    pthread_mutex_init(&lock, &attributes);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
