/* A Catch2 binary (single header, version 2): a small blocking queue between two threads. */
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Queue {
    std::mutex lock;
    std::condition_variable filled;
    std::deque<int> items;
    void put(int value)
    {
        {
            std::lock_guard<std::mutex> guard(lock);
            items.push_back(value);
        }
        filled.notify_one();
    }
    int take()
    {
        std::unique_lock<std::mutex> guard(lock);
        filled.wait(guard, [this] { return !items.empty(); });
        int value = items.front();
        items.pop_front();
        return value;
    }
};

TEST_CASE("an item arrives")
{
    Queue queue;
    std::thread producer([&] { queue.put(42); });
    REQUIRE(queue.take() == 42);
    producer.join();
}
