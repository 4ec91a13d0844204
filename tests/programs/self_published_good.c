/* EXPECT verdict=pass exit=0 complete=true
 * A thread learns its own name from pthread_self, others from main when it is safe: equal. */
#include <assert.h>
#include <pthread.h>

static pthread_t worker_thread;
static pthread_t own;

static void *worker(void *unused)
{
    own = pthread_self();
    return unused;
}

int main(void)
{
    pthread_create(&worker_thread, NULL, worker, NULL);
    pthread_join(worker_thread, NULL);
    assert(pthread_equal(own, worker_thread));
    return 0;
}
