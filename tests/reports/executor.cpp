// A pool of workers that is shut down while a task submits another one: the worker sees "stopping" and
// an empty queue, ends, and the follow-up task is queued behind it. Its future is never fulfilled. C++17.
#include <condition_variable>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

enum class Priority { Low = -1, Normal, High };

class Executor {
    struct Task {
        std::string name;
        std::function<void()> body;
        Priority priority;
    };

public:
    explicit Executor(unsigned workers)
    {
        for (unsigned i = 0; i < workers; i++)
            workers_.emplace_back(&Executor::serve, this, i);
    }

    Executor(const Executor &) = delete;
    Executor &operator=(const Executor &) = delete;

    ~Executor() { stop(); }

    template <typename Function>
    auto submit(std::string name, Function function, Priority priority = Priority::Normal)
        -> std::future<std::invoke_result_t<Function>>
    {
        using Result = std::invoke_result_t<Function>;
        auto task = std::make_shared<std::packaged_task<Result()>>(std::move(function));
        std::future<Result> result = task->get_future();
        {
            std::lock_guard<std::mutex> guard(mutex_);
            queue_.push_back(Task{std::move(name), [task] { (*task)(); }, priority});
            submitted_[priority]++;
        }
        ready_.notify_one();
        return result;
    }

    void stop()
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            stopping_ = true;
        }
        ready_.notify_all();
        for (std::thread &worker : workers_)
            if (worker.joinable())
                worker.join();
    }

private:
    void serve(unsigned number)
    {
        for (;;) {
            Task task;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
                if (queue_.empty())
                    return;
                task = std::move(queue_.front());
                queue_.pop_front();
                ran_[number]++;
            }
            task.body();
        }
    }

    std::mutex mutex_;
    std::condition_variable ready_;
    std::list<Task> queue_;
    std::map<Priority, int> submitted_;
    std::map<unsigned, int> ran_;
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

struct Report {
    int rows = 0;
    double total = 0;
};

class Importer {
public:
    explicit Importer(Executor &executor) : executor_(executor) {}

    void start()
    {
        parsed_ = executor_.submit("parse", [this] { return parse(); });
    }

    Report finish()
    {
        int rows = parsed_.get();
        std::future<double> total = executor_.submit(
            "sum", [rows] { return rows * 1.5; }, Priority::High);
        return Report{rows, total.get()};
    }

private:
    int parse() { return 3; }

    Executor &executor_;
    std::future<int> parsed_;
};

int main()
{
    Executor executor(1);
    Importer importer(executor);
    importer.start();
    std::thread closer([&executor] { executor.stop(); });
    Report report = importer.finish();
    closer.join();
    return report.rows == 3 ? 0 : 1;
}
