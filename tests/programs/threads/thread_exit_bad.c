/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * pthread_exit in a called function ends the thread; what comes after the call is never done.
 */
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
    assert(finished); /* HERE */
    assert(value == &main_thread);
    return 0;
}
