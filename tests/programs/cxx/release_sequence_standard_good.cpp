/* EXPECT verdict=passed exit=0 complete=true -- -std=c++17
 * EXPECT verdict=passed exit=0 complete=true -- -std=gnu++14 -O0
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -O2
 * Before C++20 a relaxed store continues the release sequence of its own thread. */
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
