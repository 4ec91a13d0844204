// A pool of workers whose shutdown forgets the tasks that are still queued: their promises are broken. C++17.
// SAYS In short: main destroys the promise
// SAYS ), before anything has fulfilled it
// SAYS uncaught exception of type std::future_error: "Broken promise"
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace render {

class Pool {
public:
    explicit Pool(int count)
    {
        for (int i = 0; i < count; i++)
            workers_.push_back(std::make_unique<Worker>(*this, "worker-" + std::to_string(i)));
    }

    ~Pool() { shutdown(); }

    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    template <class F> auto submit(F f) -> std::future<std::invoke_result_t<F>>
    {
        using R = std::invoke_result_t<F>;
        auto task = std::make_shared<std::packaged_task<R()>>(std::move(f));
        std::future<R> result = task->get_future();
        {
            std::lock_guard<std::mutex> guard(mutex_);
            tasks_.push([task] { (*task)(); });
        }
        wake_.notify_one();
        return result;
    }

    void shutdown()
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            state_ = State::stopping;
        }
        wake_.notify_all();
        for (auto &worker : workers_)
            worker->join();
        workers_.clear();
        tasks_ = {};
    }

private:
    enum class State { running, stopping };

    class Worker {
    public:
        Worker(Pool &pool, std::string name)
            : pool_(pool), name_(std::move(name)), thread_([this] { run(); })
        {
        }

        void join()
        {
            if (thread_.joinable())
                thread_.join();
        }

    private:
        void run()
        {
            while (auto task = pool_.next()) {
                task();
                done_++;
            }
        }

        Pool &pool_;
        std::string name_;
        int done_ = 0;
        std::thread thread_;
    };


    std::function<void()> next()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [this] { return state_ == State::stopping || !tasks_.empty(); });
        if (state_ == State::stopping)
            return {};
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop();
        return task;
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    State state_ = State::running;
    std::queue<std::function<void()>> tasks_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

struct Image {
    int width = 0, height = 0;
    std::size_t bytes() const { return static_cast<std::size_t>(width) * height * 4; }
};

class Album {
public:
    void add(const std::string &title, Image image) { images_.emplace(title, image); }

    std::map<std::string, std::future<std::size_t>> thumbnails(Pool &pool) const
    {
        std::map<std::string, std::future<std::size_t>> result;
        for (const auto &[title, image] : images_)
            result.emplace(title, pool.submit([copy = image] {
                Image small{copy.width / 8, copy.height / 8};
                return small.bytes();
            }));
        return result;
    }

private:
    std::map<std::string, Image> images_;
};

}

int main()
{
    render::Album album;
    album.add("harbour", {640, 480});
    album.add("lighthouse", {800, 600});

    render::Pool pool(1);
    auto sizes = album.thumbnails(pool);
    pool.shutdown();

    std::size_t total = 0;
    for (auto &[title, size] : sizes)
        total += size.get();
    assert(total == 80 * 60 * 4 + 100 * 75 * 4);
    std::printf("%zu bytes\n", total);
    return 0;
}
