/* EXPECT verdict=race exit=7 bound=0
 * pthread_create stores the new thread's name after it may have started: the thread that reads
 * it in a global races with main. */
#include <assert.h>
#include <pthread.h>

static pthread_t worker_thread;

static void *worker(void *unused)
{
    assert(pthread_equal(pthread_self(), worker_thread));
    return unused;
}

int main(void)
{
    pthread_create(&worker_thread, NULL, worker, NULL);
    pthread_join(worker_thread, NULL);
    return 0;
}
