/* EXPECT verdict=assertion exit=1
 * The routine of pthread_once is cancelled before it has set `ready`: the thread that cancelled it
 * must not take it for done. */
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
    assert(ready == 1);
    return 0;
}
