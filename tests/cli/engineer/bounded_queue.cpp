// A bounded queue with one condition variable for both directions. notify_one() may wake a
// producer where a consumer was meant: the wake-up is lost and everybody waits.
// FAILS deadlock
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

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
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> items_;
};

struct Order {
    int id;
    int amount;
};

class Shop {
public:
    Shop() : orders_(1) {}

    void take_orders(int first)
    {
        for (int i = 0; i < 2; i++)
            orders_.push(Order{first + i, 10 * (first + i)});
    }

    int serve(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
            sum += orders_.pop().amount;
        return sum;
    }

private:
    BoundedQueue<Order> orders_;
};

int main()
{
    Shop shop;
    int served[2] = {0, 0};
    std::vector<std::thread> threads;
    threads.emplace_back([&] { shop.take_orders(1); });
    for (int i = 0; i < 2; i++)
        threads.emplace_back([&shop, &served, i] { served[i] = shop.serve(1); });
    for (std::thread &thread : threads)
        thread.join();
    return served[0] + served[1] == 30 ? 0 : 1;
}
