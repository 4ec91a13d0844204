/* EXPECT verdict=exception exit=1 bound=0 executions=1 distinct=1
 * The promise is broken when the producer gives up; get() throws, and nobody catches it. */
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
    {
        std::promise<int> dropped = std::move(promise);
    }
    consumer.join();
    return 0;
}
