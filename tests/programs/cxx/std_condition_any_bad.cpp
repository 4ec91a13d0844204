/* EXPECT verdict=deadlock exit=2 -- -std=c++20
 * condition_variable_any: a wait without a look at the state misses the notification. */
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::condition_variable_any changed;
static bool ready;

static void waiter()
{
    std::shared_lock<std::shared_mutex> guard(lock);
    changed.wait(guard);
}

int main()
{
    std::thread thread(waiter);
    {
        std::unique_lock<std::shared_mutex> guard(lock);
        ready = true;
    }
    changed.notify_all();
    thread.join();
}
