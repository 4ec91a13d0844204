// A pipeline of three jthreads: reader, filter, writer, with stop tokens. The filter is asked to stop
// when the reader has ended, and leaves although an item is still in its inbox. C++20.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

enum class Stage { Reading, Filtering, Writing };

struct Item {
    int number;
    Stage stage = Stage::Reading;
};

class Channel {
public:
    void put(std::shared_ptr<Item> item)
    {
        {
            std::scoped_lock lock(mutex_);
            items_.push_back(std::move(item));
        }
        changed_.notify_one();
    }

    std::shared_ptr<Item> get(std::stop_token token)
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, token, [this] { return !items_.empty(); });
        if (token.stop_requested())
            return nullptr;
        auto item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::shared_ptr<Item>> items_;
};

class Pipeline {
public:
    explicit Pipeline(int count) : count_(count) {}

    int run()
    {
        std::jthread writer([this](std::stop_token token) { write(token); });
        std::jthread filter([this](std::stop_token token) { sift(token); });
        std::jthread reader([this] { read(); });
        reader.join();
        filter.request_stop();
        filter.join();
        writer.request_stop();
        writer.join();
        return written_;
    }

private:
    void read()
    {
        for (int i = 1; i <= count_; i++)
            inbox_.put(std::make_shared<Item>(Item{i}));
    }

    void sift(std::stop_token token)
    {
        while (auto item = inbox_.get(token)) {
            item->stage = Stage::Filtering;
            outbox_.put(std::move(item));
        }
    }

    void write(std::stop_token token)
    {
        while (auto item = outbox_.get(token)) {
            item->stage = Stage::Writing;
            written_++;
        }
    }

    int count_;
    int written_ = 0;
    Channel inbox_, outbox_;
};

int main()
{
    Pipeline pipeline(1);
    int written = pipeline.run();
    assert(written == 1 && "every item is written");
}
