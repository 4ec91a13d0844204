// A thread pool whose shutdown sets the flag without the mutex: a worker that has looked at the
// flag but does not wait yet misses the notification.
// FAILS deadlock
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class ThreadPool {
public:
    explicit ThreadPool(unsigned workers)
    {
        for (unsigned i = 0; i < workers; i++)
            workers_.emplace_back([this] { work(); });
    }

    ~ThreadPool()
    {
        stopping_.store(true);
        wake_.notify_all();
        for (std::thread &worker : workers_)
            worker.join();
    }

    void submit(std::function<void()> task)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            tasks_.push(std::move(task));
        }
        wake_.notify_one();
    }

private:
    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                while (tasks_.empty()) {
                    if (stopping_.load())
                        return;
                    wake_.wait(lock);
                }
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<bool> stopping_{false};
    std::queue<std::function<void()>> tasks_;
    std::vector<std::thread> workers_;
};

int main()
{
    std::atomic<int> done{0};
    {
        ThreadPool pool(1);
        pool.submit([&done] { done.fetch_add(1); });
    }
    return done.load() == 1 ? 0 : 1;
}
