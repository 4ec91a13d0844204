/* EXPECT verdict=passed exit=0
 * "If init_routine is a cancellation point and is canceled, the effect on once_control shall be as
 * if pthread_once() was never called": the next call runs it. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;

static void begin(void)
{
    pthread_testcancel();
    ready = 1;
}

static void *worker(void *unused)
{
    pthread_once(&once, begin);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_once(&once, begin);
    assert(ready == 1);
    return 0;
}
