/* Boost.Lockfree single-producer single-consumer ring. */
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> ring;

int main()
{
    std::thread producer([] {
        for (int i = 1; i <= 3; i++)
            while (!ring.push(i))
                std::this_thread::yield();
    });
    for (int expected = 1; expected <= 3;) {
        int value;
        if (!ring.pop(value)) {
            std::this_thread::yield();
            continue;
        }
        assert(value == expected);
        expected++;
    }
    producer.join();
}
