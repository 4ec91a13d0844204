/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=2
 * Every thread has its own errno and its own __thread variables, initialised afresh, also when
 * threads alternate. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static __thread int buffer = 5;
static __thread int zero;
static atomic_int number;

static void *worker(void *unused)
{
    int me = atomic_fetch_add(&number, 1) + 1;
    assert(buffer == 5 && zero == 0 && errno == 0);
    buffer = me;
    zero = me;
    errno = me;
    sched_yield();
    assert(buffer == me && zero == me && errno == me);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(buffer == 5 && zero == 0 && errno == 0);
    return 0;
}
