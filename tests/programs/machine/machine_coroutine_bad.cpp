/* EXPECT verdict=data-race exit=7 bound=0 -- -std=c++20
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++20 -O2
 * done() beside the end of the coroutine. clang keeps the coroutine's frame on its caller's stack. */
#include <coroutine>
#include <thread>

struct routine {
    struct promise_type {
        routine get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
        }
    };
    std::coroutine_handle<promise_type> handle;
    ~routine()
    {
        handle.destroy();
    }
};

static int runs;
volatile bool ended;

static routine run()
{
    runs++;
    co_return;
}

int main()
{
    routine once = run();
    std::thread thread([&handle = once.handle] { handle.resume(); });
#ifdef IN_ORDER
    thread.join();
    ended = once.handle.done();
#else
    ended = once.handle.done();
    thread.join();
#endif
    return 0;
}
