/* EXPECT verdict=passed exit=0 complete=true
 * The attributes that mean an ordinary mutex are accepted: not robust, private to the process. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int count;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED) == 0);
    assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_mutex_init(&lock, &attributes);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(count == 2);
    return 0;
}
