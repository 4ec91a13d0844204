/* EXPECT verdict=data-race exit=7 -- -std=c++20
 * EXPECT verdict=data-race exit=7 -- -std=gnu++20 -O0
 * EXPECT verdict=data-race exit=7 -- -std=c++20 -O2
 * In C++20 a relaxed store ends the release sequence of its own thread. */
#include <atomic>
#include <thread>

static int data;
static std::atomic<int> flag;

int main()
{
    std::thread writer([] {
        data = 1;
        flag.store(1, std::memory_order_release);
        flag.store(2, std::memory_order_relaxed);
    });
    if (flag.load(std::memory_order_acquire) == 2 && data != 1)
        return 1;
    writer.join();
}
