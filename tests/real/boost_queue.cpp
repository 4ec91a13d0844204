/* Boost.Lockfree queue (multi-producer, multi-consumer, fixed size): two producers, main
 * consumes. SEED: an element is marked ready in plain memory after it was pushed. */
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
static int payload[3];

static void producer(int value)
{
#ifndef SEED
    payload[value] = value;
#endif
    queue.push(value);
#ifdef SEED
    payload[value] = value;
#endif
}

int main()
{
    std::thread a(producer, 1), b(producer, 2);
    int sum = 0, value;
    for (int count = 0; count < 2;)
        if (queue.pop(value)) {
            sum += payload[value];
            count++;
        }
    a.join();
    b.join();
    assert(sum == 3);
}
