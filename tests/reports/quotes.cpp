// A bounded queue between a market data feed and the threads that price what arrives. C++20.
// SAYS ; T1 waits for the same condition variable (#
// SAYS ), and no thread is left that could signal
#include <algorithm>
#include <array>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace feed {

struct Quote {
    int instrument = 0;
    double price = 0;
};

struct Heartbeat {
    int sequence = 0;
};

struct EndOfDay {};

using Message = std::variant<Quote, Heartbeat, EndOfDay>;

template <class... Fs> struct overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> overloaded(Fs...) -> overloaded<Fs...>;

template <class T, std::size_t Capacity> class BoundedQueue {
public:
    // Adds as many as there is room for; returns how many were added.
    std::size_t push_some(std::span<const T> batch)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        const std::size_t room = Capacity - items_.size();
        const std::size_t count = std::min(room, batch.size());
        items_.insert(items_.end(), batch.begin(), batch.begin() + static_cast<long>(count));
        if (count > 0)
            not_empty_.notify_one();
        return count;
    }

    void push_all(std::span<const T> batch)
    {
        while (!batch.empty()) {
            const std::size_t pushed = push_some(batch);
            batch = batch.subspan(pushed);
            if (!batch.empty())
                wait_for_room();
        }
    }

    T pop()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        not_empty_.wait(lock, [this] { return !items_.empty(); });
        T item = std::move(items_.front());
        items_.pop_front();
        lock.unlock();
        not_full_.notify_one();
        return item;
    }

    std::optional<T> try_pop()
    {
        std::lock_guard<std::mutex> guard(mutex_);
        if (items_.empty())
            return std::nullopt;
        T item = std::move(items_.front());
        items_.pop_front();
        not_full_.notify_one();
        return item;
    }

private:
    void wait_for_room()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        not_full_.wait(lock, [this] { return items_.size() < Capacity; });
    }

    std::mutex mutex_;
    std::condition_variable not_empty_;
    std::condition_variable not_full_;
    std::deque<T> items_;
};

using Queue = BoundedQueue<Message, 4>;

struct Book {
    int quotes = 0;
    int heartbeats = 0;
    double notional = 0;
};

class Pricer {
public:
    explicit Pricer(Queue &queue) : queue_(queue) {}

    void operator()()
    {
        for (bool open = true; open;) {
            const Message message = queue_.pop();
            std::visit(overloaded{[&](const Quote &quote) {
                                      book.quotes++;
                                      book.notional += quote.price;
                                  },
                                  [&](const Heartbeat &) { book.heartbeats++; },
                                  [&](const EndOfDay &) { open = false; }},
                       message);
        }
    }

    Book book;

private:
    Queue &queue_;
};

} // namespace feed

int main()
{
    using namespace feed;
    Queue queue;
    Pricer left(queue), right(queue);
    std::thread pricers[] = {std::thread(std::ref(left)), std::thread(std::ref(right))};

    const std::array<Message, 1> morning{Quote{7, 101.5}};
    queue.push_all(morning);

    const std::array<Message, 2> evening{EndOfDay{}, EndOfDay{}};
    queue.push_all(evening);

    for (std::thread &pricer : pricers)
        pricer.join();
    assert(left.book.quotes + right.book.quotes == 1);
    std::printf("%.2f\n", left.book.notional + right.book.notional);
    return 0;
}
