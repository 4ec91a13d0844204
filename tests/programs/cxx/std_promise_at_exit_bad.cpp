/* EXPECT verdict=data-race exit=7 -- -std=c++20
 * The main thread does not wait for the value, and reads what the thread writes. */
#include <future>
#include <thread>

static int written;

static void work(std::promise<int> promise)
{
    promise.set_value_at_thread_exit(5);
    written = 1;
}

static int get_value(std::thread &thread)
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    thread = std::thread(work, std::move(promise));
    return future.valid() ? 5 : 0;
}

int main()
{
    std::thread thread;
    int value = get_value(thread) + written;
    thread.join();
    return value != 6;
}
