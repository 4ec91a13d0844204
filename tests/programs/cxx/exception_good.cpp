/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * The exception is caught in the thread that throws it. */
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
    try {
        take();
    } catch (const std::exception &) {
    }
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
