/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * A value that is set at the end of a thread: libstdc++ makes the future ready from inside, and the
 * getter sees all that the thread did. */
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
    return future.get();
}

int main()
{
    std::thread thread;
    int value = get_value(thread) + written;
    thread.join();
    return value != 6;
}
