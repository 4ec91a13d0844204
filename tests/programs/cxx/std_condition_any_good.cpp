/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * condition_variable_any with a shared mutex: the state is looked at before each wait. */
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
    changed.wait(guard, [] { return ready; });
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
