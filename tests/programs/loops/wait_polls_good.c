/* EXPECT verdict=nothing-found exit=0 complete=false
 *
 * The same, told after it was done. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool done;
static atomic_int result;

static bool is_done(void)
{
    pthread_mutex_lock(&mutex);
    bool answer = done;
    pthread_mutex_unlock(&mutex);
    return answer;
}

static void set_done(void)
{
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
    atomic_store(&result, 1);
    set_done();
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    while (!is_done())
        sched_yield();
    assert(atomic_load(&result) == 1);
    pthread_join(worker, NULL);
    return 0;
}
