/* EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- -O0
 * The same, and the index is published without release. */
#include <atomic>
#include <cassert>
#include <thread>

struct Queue {
    int slot[2];
    alignas(64) std::atomic<unsigned> write{0};
    alignas(64) unsigned read_cache = 0;
    alignas(64) std::atomic<unsigned> read{0};
    alignas(64) unsigned write_cache = 0;
    void push(int value)
    {
        unsigned at = write.load(std::memory_order_relaxed);
        while (at - read_cache == 2)
            read_cache = read.load(std::memory_order_acquire);
        slot[at % 2] = value;
        write.store(at + 1, std::memory_order_relaxed);
    }
    int pop()
    {
        unsigned at = read.load(std::memory_order_relaxed);
        while (at == write_cache)
            write_cache = write.load(std::memory_order_acquire);
        int value = slot[at % 2];
        read.store(at + 1, std::memory_order_release);
        return value;
    }
};

int main()
{
    Queue queue;
    std::thread producer([&] {
        for (int i = 1; i <= 3; i++)
            queue.push(i);
    });
    for (int i = 1; i <= 3; i++)
        assert(queue.pop() == i);
    producer.join();
}
