/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The thread publishes its own name in a global, and main reads it after joining: it is the one
 * that pthread_create gave. Nothing is shared but through create and join: one trace. */
#include <assert.h>
#include <pthread.h>

static pthread_t own;

static void *worker(void *unused)
{
    own = pthread_self();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_t seen = own;
    assert(seen == 0 || pthread_equal(seen, thread));
    return 0;
}
