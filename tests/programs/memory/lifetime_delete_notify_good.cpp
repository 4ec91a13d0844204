/* EXPECT verdict=passed exit=0 complete=true
 * Notify under the lock: the waiter can only go on after the notification. */
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
        std::lock_guard<std::mutex> guard(shared->mutex);
        shared->done = true;
        shared->ready.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(shared->mutex);
        shared->ready.wait(lock, [=] { return shared->done; });
    }
    delete shared;
    worker.join();
}
