/* EXPECT verdict=passed exit=0 complete=true executions=133 distinct=2
 * std::condition_variable with a predicate, and wait_for, which uses pthread_cond_clockwait. */
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static std::atomic<bool> ready;

static void waiter()
{
    std::unique_lock<std::mutex> lock(mutex);
    if (!condition.wait_for(lock, std::chrono::seconds(5), [] { return ready.load(); }))
        throw 1;
}

static void setter()
{
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
    condition.notify_one();
}

int main()
{
    std::thread a(waiter), b(setter);
    a.join();
    b.join();
    return 0;
}
