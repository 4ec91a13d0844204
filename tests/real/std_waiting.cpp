/* libstdc++ from the distribution: atomic wait/notify, latch, barrier, counting_semaphore,
 * condition_variable_any with shared_mutex, async, promise and an exception across a join. */
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <future>
#include <latch>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

static std::atomic<int> flag;
static std::latch started(2);
static std::counting_semaphore<2> slots(1);
static std::shared_mutex shared;
static std::condition_variable_any changed;
static bool ready;

static int compute()
{
    started.count_down();
    flag.wait(0);
    slots.acquire();
    slots.release();
    std::shared_lock guard(shared);
    changed.wait(guard, [] { return ready; });
    throw std::runtime_error("expected");
}

int main()
{
    std::future<int> result = std::async(std::launch::async, compute);
    started.arrive_and_wait();
    flag = 1;
    flag.notify_all();
    {
        std::unique_lock guard(shared);
        ready = true;
    }
    changed.notify_all();
    bool caught = false;
    try {
        result.get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    assert(caught);
}
