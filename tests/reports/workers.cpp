// A pool whose wait_idle() returns while a worker has taken the last task but has not counted itself
// as busy yet; the caller then frees what the task uses. C++17.
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace jobs {

class WorkerPool {
public:
    explicit WorkerPool(unsigned count)
    {
        while (count-- > 0)
            threads_.emplace_back(&WorkerPool::work, this);
    }

    ~WorkerPool()
    {
        {
            std::lock_guard guard(lock_);
            closing_ = true;
        }
        wake_.notify_all();
        for (auto &thread : threads_)
            thread.join();
    }

    void post(std::function<void()> task)
    {
        std::lock_guard guard(lock_);
        queue_.push_back(std::move(task));
        wake_.notify_one();
    }

    void wait_idle()
    {
        std::unique_lock guard(lock_);
        idle_.wait(guard, [this] { return queue_.empty() && busy_ == 0; });
    }

private:
    std::function<void()> take()
    {
        std::unique_lock guard(lock_);
        wake_.wait(guard, [this] { return closing_ || !queue_.empty(); });
        if (queue_.empty())
            return nullptr;
        auto task = std::move(queue_.front());
        queue_.pop_front();
        return task;
    }

    void work()
    {
        while (auto task = take()) {
            {
                std::lock_guard guard(lock_);
                ++busy_;
            }
            task();
            std::lock_guard guard(lock_);
            --busy_;
            idle_.notify_all();
        }
    }

    std::mutex lock_;
    std::condition_variable wake_, idle_;
    std::deque<std::function<void()>> queue_;
    int busy_ = 0;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

} // namespace jobs

struct Image {
    explicit Image(int width, int height) : width(width), height(height), pixels(width * height, 7) {}
    int width, height;
    long brightness = 0;
    std::vector<int> pixels;
};

static void measure(Image &image)
{
    image.brightness = std::accumulate(image.pixels.begin(), image.pixels.end(), 0L);
}

int main()
{
    jobs::WorkerPool pool(1);
    auto image = std::make_unique<Image>(4, 2);
    pool.post([picture = image.get()] { measure(*picture); });
    pool.wait_idle();
    image.reset();
}
