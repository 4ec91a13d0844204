/* EXPECT verdict=assertion exit=1
 * EXPECT verdict=assertion exit=1 -- --strategy optimal
 * EXPECT verdict=assertion exit=1 -- --strategy cbpor
 * A thread ends while it holds a robust mutex. The next owner takes EOWNERDEAD for success and
 * does not make the mutex consistent: unlocking it loses it for good. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *dies(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, NULL, dies, NULL);
    int error = pthread_mutex_lock(&mutex);
    assert(error == 0 || error == EOWNERDEAD);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&mutex) != ENOTRECOVERABLE);
    return 0;
}
