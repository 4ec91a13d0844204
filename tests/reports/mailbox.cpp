// A bounded queue between network readers and workers: push and pop wait with `if` where `while` is
// needed, so that a worker that is woken second finds the ring empty. C++17.
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

enum class Kind : std::uint8_t { Text, Binary, Close };

struct Envelope {
    Kind kind = Kind::Text;
    std::uint32_t sequence = 0;
    std::variant<std::string, std::vector<std::uint8_t>> body;
    double weight = 0.5;

    bool last() const { return kind == Kind::Close; }
};

template <typename T>
class Ring {
public:
    explicit Ring(std::size_t capacity) : slots_(capacity) {}

    bool full() const { return count_ == slots_.size(); }
    bool empty() const { return count_ == 0; }

    void put(std::unique_ptr<T> item)
    {
        slots_[(first_ + count_) % slots_.size()] = std::move(item);
        count_++;
    }

    std::unique_ptr<T> get()
    {
        std::unique_ptr<T> item = std::move(slots_[first_]);
        first_ = (first_ + 1) % slots_.size();
        count_--;
        return item;
    }

private:
    std::vector<std::unique_ptr<T>> slots_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
};

class Mailbox {
public:
    explicit Mailbox(std::size_t capacity, std::string_view owner) : ring_(capacity), owner_(owner) {}

    void post(std::unique_ptr<Envelope> envelope)
    {
        std::unique_lock lock(mutex_);
        if (ring_.full())
            space_.wait(lock);
        ring_.put(std::move(envelope));
        posted_++;
        arrived_.notify_one();
    }

    std::unique_ptr<Envelope> take()
    {
        std::unique_lock lock(mutex_);
        if (ring_.empty())
            arrived_.wait(lock);
        std::unique_ptr<Envelope> envelope = ring_.get();
        space_.notify_one();
        return envelope;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable arrived_, space_;
    Ring<Envelope> ring_;
    std::string owner_;
    unsigned posted_ = 0;
};

class Reader {
public:
    Reader(Mailbox &mailbox, std::uint32_t first) : mailbox_(mailbox), next_(first) {}

    void run()
    {
        auto text = std::make_unique<Envelope>();
        text->sequence = next_++;
        text->body = "hello from a reader that has more to say";
        mailbox_.post(std::move(text));
    }

private:
    Mailbox &mailbox_;
    std::uint32_t next_;
};

class Worker {
public:
    explicit Worker(Mailbox &mailbox) : mailbox_(mailbox) {}

    void run()
    {
        std::unique_ptr<Envelope> envelope = mailbox_.take();
        weight_ += envelope->weight;
        closed_ = envelope->last();
    }

    double weight() const { return weight_; }

private:
    Mailbox &mailbox_;
    double weight_ = 0;
    bool closed_ = false;
};

int main()
{
    Mailbox mailbox(2, "orders");
    Reader reader(mailbox, 10);
    Worker first(mailbox), second(mailbox);
    std::thread a(&Worker::run, &first), b(&Worker::run, &second);
    reader.run();
    reader.run();
    a.join();
    b.join();
    return first.weight() + second.weight() == 1.0 ? 0 : 1;
}
