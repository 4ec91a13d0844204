/* EXPECT verdict=data-race exit=7 -- -std=c++20 --timeouts any
 * The result of try_lock_for is not looked at. */
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex lock;
static int count;

static void add()
{
    bool mine = lock.try_lock_for(std::chrono::milliseconds(10));
    count++;
    if (mine)
        lock.unlock();
}

int main()
{
    std::thread first(add), second(add);
    first.join();
    second.join();
}
