/* EXPECT verdict=passed exit=0
 * Deferred cancellation, which is supported: the thread is cancelled at its cancellation point.
 * */
#include <assert.h>
#include <pthread.h>

static void *worker(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    for (;;)
        pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
