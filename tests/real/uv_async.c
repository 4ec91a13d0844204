/* libuv: a thread wakes the loop with uv_async_send, the loop's callback closes the handle. */
#include <assert.h>
#include <uv.h>

static uv_async_t async;
static int called;

static void on_async(uv_async_t *handle)
{
    called++;
    uv_close((uv_handle_t *)handle, NULL);
}

static void sender(void *unused)
{
    (void)unused;
    uv_async_send(&async);
}

int main(void)
{
    uv_loop_t loop;
    uv_thread_t thread;
    uv_loop_init(&loop);
    uv_async_init(&loop, &async, on_async);
    uv_thread_create(&thread, sender, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    assert(called == 1);
    uv_loop_close(&loop);
    return 0;
}
