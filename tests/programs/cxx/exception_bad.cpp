/* EXPECT verdict=exception exit=1 bound=0 executions=3 distinct=2
 * An exception leaves a thread's function: std::terminate. It is thrown when the queue is still
 * empty, that is when the consumer comes first. */
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static std::queue<int> queue;

static int take()
{
    std::lock_guard<std::mutex> guard(mutex);
    if (queue.empty())
        throw std::runtime_error("queue is empty");
    int item = queue.front();
    queue.pop();
    return item;
}

static void consume()
{
    take();
}

static void produce()
{
    std::lock_guard<std::mutex> guard(mutex);
    queue.push(1);
}

int main()
{
    std::thread a(produce), b(consume);
    a.join();
    b.join();
    return 0;
}
