// A pipeline of jthreads: the reader's stop callback takes the lock of the queue, and the writer asks
// for the stop while it holds this lock. C++20.
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <ranges>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

struct Line {
    std::size_t number;
    std::string text;
};

class Conveyor {
public:
    void feed(std::stop_token stop)
    {
        std::stop_callback drain(stop, [this] {
            std::lock_guard guard(mutex_);
            closed_ = true;
            changed_.notify_all();
        });
        for (std::size_t number = 1; number <= 2 && !stop.stop_requested(); number++) {
            std::lock_guard guard(mutex_);
            lines_.push({number, "line"});
            changed_.notify_all();
        }
    }

    void drain(std::stop_source feeder)
    {
        std::unique_lock guard(mutex_);
        while (!closed_) {
            changed_.wait(guard, [this] { return closed_ || !lines_.empty(); });
            while (!lines_.empty()) {
                if (lines_.front().number == 2)
                    feeder.request_stop();
                lines_.pop();
            }
            if (feeder.stop_requested())
                return;
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<Line> lines_;
    bool closed_ = false;
};

int main()
{
    Conveyor conveyor;
    std::jthread feeder([&](std::stop_token stop) { conveyor.feed(stop); });
    std::jthread drainer([&conveyor, source = feeder.get_stop_source()] { conveyor.drain(source); });
}
