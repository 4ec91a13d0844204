/* EXPECT verdict=assertion exit=1 bound=1 location=HERE complete=false
 *
 * Polling under a lock, with a yield: switching there is free, and every execution may poll
 * once more than the one before. What is done first is told before it is done. */
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
    set_done();
    atomic_store(&result, 1);
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    while (!is_done())
        sched_yield();
    assert(atomic_load(&result) == 1); /* HERE */
    pthread_join(worker, NULL);
    return 0;
}
