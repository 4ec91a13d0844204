/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * The thread publishes its own name in a global, and main reads it before joining. */
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
    pthread_t seen = own;
    pthread_join(thread, NULL);
    assert(seen == 0 || pthread_equal(seen, thread));
    return 0;
}
