// A bounded queue with one condition variable for two purposes: notify_one may wake a producer when
// a consumer was meant, and the item lies in the queue for ever. C++17.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

struct Message {
    int number;
    std::string text;
};

template <typename T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    void push(T item)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return items_.size() < capacity_; });
        items_.push_back(std::move(item));
        changed_.notify_one();
    }

    T pop()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop_front();
        changed_.notify_one();
        return item;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> items_;
    const std::size_t capacity_;
};

class Service {
public:
    Service() : queue_(std::make_shared<BoundedQueue<std::unique_ptr<Message>>>(1)) {}

    void run()
    {
        std::vector<std::thread> workers;
        for (int i = 0; i < 2; i++)
            workers.emplace_back(&Service::produce, this, i);
        for (int i = 0; i < 2; i++)
            workers.emplace_back([this] { consume(); });
        for (auto &worker : workers)
            worker.join();
    }

private:
    void produce(int number)
    {
        auto message = std::make_unique<Message>();
        message->number = number;
        message->text = "message " + std::to_string(number);
        queue_->push(std::move(message));
    }

    void consume()
    {
        std::unique_ptr<Message> message = queue_->pop();
        if (message->text.empty())
            std::terminate();
    }

    std::shared_ptr<BoundedQueue<std::unique_ptr<Message>>> queue_;
};

int main()
{
    Service service;
    service.run();
    return 0;
}
