/* oneTBB concurrent_queue: two producers, main consumes with try_pop. */
#include <cassert>
#include <tbb/concurrent_queue.h>
#include <thread>

static tbb::concurrent_queue<int> queue;

int main()
{
    std::thread a([] { queue.push(1); }), b([] { queue.push(2); });
    int sum = 0, value;
    for (int count = 0; count < 2;)
        if (queue.try_pop(value)) {
            sum += value;
            count++;
        }
    a.join();
    b.join();
    assert(sum == 3);
}
