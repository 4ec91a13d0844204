/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * pthread_exit in a called function ends the thread and gives its value; pthread_equal tells
 * threads apart, pthread_self is the one that pthread_create gave. */
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int finished;

static void leave(void *value)
{
    pthread_exit(value);
}

static void *worker(void *value)
{
    assert(!pthread_equal(pthread_self(), main_thread));
    leave(value);
    finished = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    void *value = NULL;
    main_thread = pthread_self();
    pthread_create(&a, NULL, worker, &main_thread);
    pthread_join(a, &value);
    assert(!finished);
    assert(value == &main_thread);
    return 0;
}
