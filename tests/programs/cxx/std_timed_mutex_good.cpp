/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20 --timeouts any
 * A timed mutex that could not be had in time is not used. */
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex lock;
static int count;

static void add()
{
    bool mine = lock.try_lock_for(std::chrono::milliseconds(10));
    if (!mine)
        return;
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
