/* libuv's thread pool: two works queued on the default loop, results collected on the loop.
 * Completion comes back through an eventfd that the loop polls with epoll.
 * SEED: the works share a counter without a lock. */
#include <assert.h>
#include <stdlib.h>
#include <uv.h>

static int in_pool, finished;
static uv_mutex_t lock;

static void work(uv_work_t *request)
{
    (void)request;
#ifndef SEED
    uv_mutex_lock(&lock);
#endif
    in_pool++;
#ifndef SEED
    uv_mutex_unlock(&lock);
#endif
}

static void after(uv_work_t *request, int status)
{
    (void)request;
    assert(status == 0);
    finished++;
}

int main(void)
{
    setenv("UV_THREADPOOL_SIZE", "2", 1);
    uv_mutex_init(&lock);
    uv_work_t request[2];
    uv_loop_t *loop = uv_default_loop();
    for (int i = 0; i < 2; i++)
        uv_queue_work(loop, &request[i], work, after);
    uv_run(loop, UV_RUN_DEFAULT);
    assert(in_pool == 2 && finished == 2);
    uv_loop_close(loop);
    return 0;
}
