/* EXPECT verdict=passed exit=0 complete=true
 * The same with the lock taken before the mutex is deleted: the unlock comes first. */
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
    shared->mutex.lock();
    shared->mutex.unlock();
    delete shared;
    worker.join();
}
