// A logger that uses a sink after it has released the mutex under which it found it. C++17.
// SAYS ErrorSink#1
// (g++ -O0 writes the vptr in the destructor, so there the race is found before the free.)
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>

namespace telemetry {

enum class Level { debug, info, error };

struct Record {
    Level level = Level::info;
    std::pmr::string text;
};

class Sink {
public:
    virtual ~Sink() = default;
    virtual void write(const Record &record) = 0;
};

template <class Derived> class CountingSink : public Sink {
public:
    void write(const Record &record) final
    {
        written_++;
        static_cast<Derived *>(this)->emit(record);
    }
    int written() const { return written_; }

private:
    int written_ = 0;
};

class MemorySink : public CountingSink<MemorySink> {
public:
    void emit(const Record &record) { bytes_ += record.text.size(); }

private:
    std::size_t bytes_ = 0;
};

class ErrorSink : public CountingSink<ErrorSink> {
public:
    void emit(const Record &record)
    {
        if (record.level == Level::error)
            errors_++;
    }

private:
    int errors_ = 0;
};

class Logger {
public:
    Logger() : writer_([this] { write_all(); }) {}

    ~Logger()
    {
        {
            std::lock_guard<std::mutex> guard(queue_mutex_);
            closed_ = true;
        }
        arrived_.notify_one();
        writer_.join();
    }

    void attach(const std::string &name, std::unique_ptr<Sink> sink)
    {
        std::lock_guard<std::mutex> guard(sinks_mutex_);
        sinks_[name] = std::move(sink);
    }

    bool detach(const std::string &name)
    {
        std::lock_guard<std::mutex> guard(sinks_mutex_);
        return sinks_.erase(name) > 0;
    }

    void log(Level level, const char *text)
    {
        {
            std::lock_guard<std::mutex> guard(queue_mutex_);
            records_.push_back(Record{level, std::pmr::string(text, &memory_)});
        }
        arrived_.notify_one();
    }

private:
    Sink *find(const std::string &name)
    {
        std::lock_guard<std::mutex> guard(sinks_mutex_);
        const auto found = sinks_.find(name);
        return found == sinks_.end() ? nullptr : found->second.get();
    }

    void write_all()
    {
        std::unique_lock<std::mutex> lock(queue_mutex_);
        for (;;) {
            arrived_.wait(lock, [this] { return closed_ || !records_.empty(); });
            if (records_.empty())
                return;
            Record record = std::move(records_.front());
            records_.pop_front();
            lock.unlock();
            if (Sink *sink = find(record.level == Level::error ? "errors" : "memory"))
                sink->write(record);
            lock.lock();
        }
    }

    std::pmr::synchronized_pool_resource memory_;
    std::mutex queue_mutex_;
    std::condition_variable arrived_;
    std::deque<Record> records_;
    bool closed_ = false;
    std::mutex sinks_mutex_;
    std::map<std::string, std::unique_ptr<Sink>> sinks_;
    std::thread writer_;
};

}

int main()
{
    using namespace telemetry;
    Logger logger;
    logger.attach("memory", std::make_unique<MemorySink>());
    logger.attach("errors", std::make_unique<ErrorSink>());

    logger.log(Level::error, "disk full");
    const bool detached = logger.detach("errors");
    assert(detached);
    return 0;
}
