/* EXPECT verdict=memory-error exit=11
 * EXPECT verdict=memory-error exit=11 -- --strategy dpor
 * The flag is set under the lock: whoever sees it deletes a mutex that is yet to be unlocked. */
#include <atomic>
#include <mutex>
#include <thread>

struct task {
    std::mutex mutex;
    std::atomic<bool> done{false};
};

int main()
{
    task *shared = new task;
    std::thread worker([=] {
        std::lock_guard<std::mutex> guard(shared->mutex);
        shared->done = true;
    });
    while (!shared->done)
        std::this_thread::yield();
    delete shared;
    worker.join();
}
