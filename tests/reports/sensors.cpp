// A pipeline of three stages on jthreads: read, smooth, store. C++20.
// SAYS waits to acquire smoothing.input_.full_ (sensors.cpp:
// SAYS main blocks: join T2
#include <array>
#include <atomic>
#include <cassert>
#include <concepts>
#include <cstdio>
#include <functional>
#include <mutex>
#include <condition_variable>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace pipeline {

struct Sample {
    int sensor = 0;
    float value = 0;
};

template <class T> class Slot {
public:
    void put(T value)
    {
        free_.acquire();
        value_ = std::move(value);
        full_.release();
    }

    // Nothing: the stage was asked to stop.
    std::optional<T> take(std::stop_token stop)
    {
        if (stop.stop_requested())
            return std::nullopt;
        full_.acquire();
        if (stop.stop_requested() && !value_)
            return std::nullopt;
        std::optional<T> result = std::exchange(value_, std::nullopt);
        free_.release();
        return result;
    }

    void wake() { full_.release(); }

private:
    std::optional<T> value_;
    std::binary_semaphore free_{1};
    std::binary_semaphore full_{0};
};

template <class F, class In>
concept StageFunction = std::invocable<F, In>;

template <class In, StageFunction<In> F> class Stage {
public:
    Stage(std::string name, F work)
        : name_(std::move(name)), work_(std::move(work)),
          thread_([this](std::stop_token stop) { run(stop); })
    {
    }

    Slot<In> &input() { return input_; }

    void stop()
    {
        thread_.request_stop();
        thread_.join();
    }

private:
    void run(std::stop_token stop)
    {
        while (auto item = input_.take(stop))
            work_(*item);
    }

    std::string name_;
    F work_;
    Slot<In> input_;
    std::jthread thread_;
};

class Store {
public:
    void keep(const Sample &sample)
    {
        std::lock_guard guard(mutex_);
        samples_.push_back(sample);
        kept_.notify_all();
    }

    void wait_for(std::size_t count)
    {
        std::unique_lock lock(mutex_);
        kept_.wait(lock, [&] { return samples_.size() >= count; });
    }

    std::size_t size() const { return samples_.size(); }

private:
    std::mutex mutex_;
    std::condition_variable kept_;
    std::vector<Sample> samples_;
};

} // namespace pipeline

int main()
{
    using namespace pipeline;
    Store store;

    auto keep = [&store](const Sample &sample) { store.keep(sample); };
    Stage<Sample, decltype(keep)> storing("store", keep);

    auto smooth = [&storing, last = 0.0f](Sample sample) mutable {
        sample.value = (sample.value + last) / 2;
        last = sample.value;
        storing.input().put(sample);
    };
    Stage<Sample, decltype(smooth)> smoothing("smooth", smooth);

    smoothing.input().put({1, 20.5f});
    store.wait_for(1);

    smoothing.stop();
    storing.stop();
    assert(store.size() == 1);
    std::printf("stored %zu\n", store.size());
    return 0;
}
