/* EXPECT verdict=memory-error exit=11
 * EXPECT verdict=memory-error exit=11 -- --strategy bpor
 * EXPECT verdict=memory-error exit=11 -- --strategy dfs --bound none
 * Unlock, then notify: the waiter may have seen `done` and deleted the condition variable. */
#include <condition_variable>
#include <mutex>
#include <thread>

struct result {
    std::mutex mutex;
    std::condition_variable ready;
    bool done = false;
};

int main()
{
    result *shared = new result;
    std::thread worker([=] {
        {
            std::lock_guard<std::mutex> guard(shared->mutex);
            shared->done = true;
        }
        shared->ready.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(shared->mutex);
        shared->ready.wait(lock, [=] { return shared->done; });
    }
    delete shared;
    worker.join();
}
