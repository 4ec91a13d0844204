/* EXPECT verdict=passed exit=0 complete=true
 * A loop that only tests for cancellation ends when it is cancelled; one that has cancellation
 * disabled runs to its end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *endless(void *unused)
{
    for (;;)
        pthread_testcancel();
    return unused;
}

static void *stubborn(void *result)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    return result;
}

int main(void)
{
    pthread_t a, b;
    void *result;
    pthread_create(&a, NULL, endless, NULL);
    pthread_cancel(a);
    pthread_join(a, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_create(&b, NULL, stubborn, &result);
    pthread_join(b, &result);
    assert(result == &result);
    return 0;
}
