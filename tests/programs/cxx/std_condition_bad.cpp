/* EXPECT verdict=deadlock exit=2 bound=1 executions=6 distinct=3
 * The flag is set and the waiter notified without the mutex: a waiter preempted between its
 * predicate and its wait sleeps for ever. */
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
    condition.wait(lock, [] { return ready.load(); });
}

static void setter()
{
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
