/* EXPECT verdict=passed exit=0 complete=true executions=6 distinct=1
 * mtx_timedlock and cnd_timedwait time out where nothing else can happen, mtx_trylock says
 * busy, thrd_sleep and thrd_yield let others run. */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t never;

static int hasty(void *unused)
{
    (void)unused;
    struct timespec deadline;
    timespec_get(&deadline, TIME_UTC);
    deadline.tv_sec++;
    assert(mtx_trylock(&mutex) == thrd_busy);
    assert(mtx_timedlock(&mutex, &deadline) == thrd_timedout);
    return 0;
}

int main(void)
{
    thrd_t a;
    struct timespec deadline, pause = {0, 1000};
    mtx_init(&mutex, mtx_timed | mtx_recursive);
    cnd_init(&never);
    mtx_lock(&mutex);
    thrd_create(&a, hasty, NULL);
    thrd_sleep(&pause, NULL);
    thrd_yield();
    thrd_join(a, NULL);
    timespec_get(&deadline, TIME_UTC);
    deadline.tv_sec++;
    assert(cnd_timedwait(&never, &mutex, &deadline) == thrd_timedout);
    mtx_unlock(&mutex);
    return 0;
}
