// A pipeline of two stages with jthread and stop_token. The first stage reads a value from a
// source that throws when it is asked after the stop, and nobody catches that. C++20.
#include <atomic>
#include <condition_variable>
#include <latch>
#include <memory>
#include <mutex>
#include <queue>
#include <semaphore>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

enum class Phase { Filling, Draining, Closed };

class Source {
public:
    int next()
    {
        if (phase_.load() == Phase::Closed)
            throw std::runtime_error("source is closed at value " + std::to_string(value_));
        return ++value_;
    }

    void close()
    {
        phase_.store(Phase::Closed);
        phase_.notify_all();
    }

    void wait_closed()
    {
        phase_.wait(Phase::Filling);
    }

private:
    std::atomic<Phase> phase_{Phase::Filling};
    int value_ = 40;
};

struct Stage {
    std::mutex mutex;
    std::condition_variable_any ready;
    std::queue<int> items;
};

int main()
{
    auto source = std::make_shared<Source>();
    auto stage = std::make_unique<Stage>();
    std::counting_semaphore<4> room(1);
    std::jthread reader([&, source](std::stop_token stop) {
        while (!stop.stop_requested()) {
            room.acquire();
            int value = source->next();
            std::lock_guard guard(stage->mutex);
            stage->items.push(value);
            stage->ready.notify_one();
        }
    });
    std::jthread writer([&](std::stop_token stop) {
        std::unique_lock lock(stage->mutex);
        if (stage->ready.wait(lock, stop, [&] { return !stage->items.empty(); }))
            stage->items.pop();
        room.release();
    });
    writer.join();
    source->close();
    reader.request_stop();
    source->wait_closed();
    return 0;
}
