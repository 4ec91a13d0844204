/* EXPECT verdict=passed exit=0 complete=true
 * Threads that wait when main returns, but not for ever: the owner of the lock would unlock it. One
 * that gives up after a time does not wait for ever either. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *keeps(void *unused)
{
    struct timespec soon = {0, 0};
    pthread_mutex_timedlock(&kept, &soon);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, worker, NULL);
    pthread_create(&thread[1], NULL, worker, NULL);
    pthread_create(&thread[2], NULL, keeps, NULL);
    return 0;
}
