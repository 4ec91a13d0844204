/* moodycamel's ConcurrentQueue (header only): two producers, main consumes. */
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

static moodycamel::ConcurrentQueue<int> queue;

int main()
{
    std::thread a([] { queue.enqueue(1); }), b([] { queue.enqueue(2); });
    int sum = 0, value;
    for (int count = 0; count < 2;)
        if (queue.try_dequeue(value)) {
            sum += value;
            count++;
        }
    a.join();
    b.join();
    assert(sum == 3);
}
