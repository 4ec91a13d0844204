/* EXPECT verdict=passed exit=0 executions=46 distinct=2 -- --bound 1
 * std::promise and std::future, std::async with its own thread. */
#include <future>
#include <thread>

static int consume(std::future<int> future)
{
    return future.get();
}

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread consumer(consume, std::move(future));
    promise.set_value(42);
    if (std::async(std::launch::async, [] { return 7; }).get() != 7)
        throw 1;
    consumer.join();
    return 0;
}
