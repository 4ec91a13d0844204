// A thread pool whose destructor sets the flag without the mutex, between a worker's test of it and
// its wait: the notification is lost. C++17.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

enum class State : unsigned char { Idle, Running, Stopping };

class ThreadPool {
public:
    explicit ThreadPool(unsigned count)
    {
        state_.store(State::Running, std::memory_order_release);
        for (unsigned i = 0; i < count; i++)
            threads_.emplace_back([this] { work(); });
    }

    ~ThreadPool()
    {
        state_.store(State::Stopping, std::memory_order_release);
        wake_.notify_all();
        for (auto &thread : threads_)
            thread.join();
    }

    void submit(std::function<void()> task)
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            tasks_.push(std::move(task));
        }
        wake_.notify_one();
    }

private:
    void work()
    {
        while (true) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                while (tasks_.empty()) {
                    if (state_.load(std::memory_order_acquire) == State::Stopping)
                        return;
                    wake_.wait(lock);
                }
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }

    std::atomic<State> state_{State::Idle};
    std::mutex mutex_;
    std::condition_variable wake_;
    std::queue<std::function<void()>> tasks_;
    std::vector<std::thread> threads_;
};

struct Totals {
    std::atomic<int> jobs{0};
    std::atomic<bool> finished{false};
};

int main()
{
    Totals totals;
    {
        ThreadPool pool(1);
        pool.submit([&totals] {
            totals.jobs.fetch_add(1, std::memory_order_relaxed);
            totals.finished.store(true);
        });
    }
    return totals.jobs == 1 ? 0 : 1;
}
