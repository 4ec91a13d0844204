/* EXPECT verdict=assertion exit=1 bound=0 location=HERE
 * Work is believed to be finished although the worker may have been cancelled before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int finished;

static void *worker(void *unused)
{
    pthread_testcancel();
    finished = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(finished); /* HERE */
    return 0;
}
