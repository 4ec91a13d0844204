// A pipeline of std::jthreads. The stage that squares numbers asks for a stop before it looks
// whether the previous stage has left something: the last number may be lost.
// FAILS assertion
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <stop_token>
#include <thread>

template <typename T>
class Channel {
public:
    void send(T value)
    {
        std::lock_guard lock(mutex_);
        values_.push(std::move(value));
        arrived_.notify_one();
    }

    std::optional<T> receive(std::stop_token stop)
    {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, stop, [this] { return !values_.empty(); });
        if (stop.stop_requested() || values_.empty())
            return std::nullopt;
        T value = std::move(values_.front());
        values_.pop();
        return value;
    }

private:
    std::mutex mutex_;
    std::condition_variable_any arrived_;
    std::queue<T> values_;
};

class Squares {
public:
    explicit Squares(Channel<int> &input) : input_(input), thread_(std::bind_front(&Squares::run, this)) {}
    void finish() { thread_.request_stop(); thread_.join(); }
    int sum() const { return sum_; }

private:
    void run(std::stop_token stop)
    {
        while (std::optional<int> number = input_.receive(stop))
            sum_ += *number * *number;
    }

    Channel<int> &input_;
    int sum_ = 0;
    std::jthread thread_;
};

int main()
{
    Channel<int> numbers;
    Squares squares(numbers);
    {
        std::jthread source([&numbers] { numbers.send(3); });
    }
    squares.finish();
    assert(squares.sum() == 9);
    return 0;
}
