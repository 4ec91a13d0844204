/* EXPECT verdict=passed exit=0 -- -std=c++20 --bound 2
 * What is told at a thread's exit is told after its thread_local objects are gone;
 * shared_future and packaged_task beside it. The thread is detached and may notify after main has
 * returned: the condition variable is never destroyed. */
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable &ended = *new std::condition_variable; // the thread is detached
static bool done;

struct Local {
    int *seen;
    ~Local() { *seen = 1; }
};

static void work(std::promise<int> promise, int *seen)
{
    thread_local Local local{seen};
    (void)local;
    promise.set_value(42);
    std::unique_lock<std::mutex> lock(mutex);
    done = true;
    std::notify_all_at_thread_exit(ended, std::move(lock));
}

int main()
{
    int seen = 0;
    std::promise<int> promise;
    std::shared_future<int> answer = promise.get_future().share();
    std::packaged_task<int(int)> twice([](int x) { return 2 * x; });
    std::future<int> doubled = twice.get_future();
    std::thread(work, std::move(promise), &seen).detach();
    std::thread other(std::move(twice), 21);
    std::shared_future<int> copy = answer;
    assert(copy.get() == 42 && answer.get() == 42 && doubled.get() == 42);
    {
        std::unique_lock<std::mutex> lock(mutex);
        ended.wait(lock, [] { return done; });
    }
    assert(seen == 1);
    other.join();
}
