/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * mtx_timedlock on a mutex whose owner only goes on afterwards: the time-out is not handled. */
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
    assert(mtx_timedlock(&mutex, &deadline) == thrd_success); /* HERE */
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
