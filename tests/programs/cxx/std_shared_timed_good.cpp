/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * shared_timed_mutex and recursive_timed_mutex with time limits. */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
static std::shared_timed_mutex shared;
static std::recursive_timed_mutex recursive;
static int value;

static void writer()
{
    std::lock_guard<std::recursive_timed_mutex> hold(recursive);
    if (shared.try_lock_until(std::chrono::system_clock::now() + 1s)) {
        value++;
        value++;
        shared.unlock();
    }
}

int main()
{
    std::thread thread(writer);
    if (recursive.try_lock_for(1s)) {
        std::lock_guard<std::recursive_timed_mutex> again(recursive);
        recursive.unlock();
    }
    if (shared.try_lock_shared_until(std::chrono::steady_clock::now() + 1s)) {
        assert(value == 0 || value == 2);
        shared.unlock_shared();
    }
    thread.join();
}
