/* EXPECT verdict=passed exit=0
 * A thread may ask for asynchronous cancellation as long as nobody cancels it meanwhile; deferred
 * cancellation takes effect at its cancellation point. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    for (;;)
        pthread_testcancel();
    return unused;
}

static void *computes(void *unused)
{
    int before, after;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    pthread_setcanceltype(before, &after);
    assert(before == PTHREAD_CANCEL_DEFERRED && after == PTHREAD_CANCEL_ASYNCHRONOUS);
    return unused;
}

int main(void)
{
    pthread_t thread, other;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_create(&other, NULL, computes, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_join(other, NULL);
    return 0;
}
