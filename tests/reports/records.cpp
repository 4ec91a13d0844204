// An asynchronous logger that writes fatal records at once, without a lock, beside its own thread: a race
// that needs a preemption. C++20.
// SAYS In short: Nothing orders main's write of
// SAYS , holding no lock
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace logging {

enum class Severity { Info, Warning, Fatal };

struct Record {
    Severity severity;
    std::string text;
};

class Sink {
public:
    virtual ~Sink() = default;
    virtual void write(const Record &r) = 0;
};

class MemorySink final : public Sink {
public:
    void write(const Record &r) override
    {
        bytes_ += r.text.size();
        lines_.push_back(r.text);
        if (r.severity == Severity::Fatal)
            fatal_ = true;
    }

    std::size_t lines() const { return lines_.size(); }
    std::size_t bytes() const { return bytes_; }
    bool fatal() const { return fatal_; }

private:
    std::list<std::string> lines_;
    std::size_t bytes_ = 0;
    bool fatal_ = false;
};

class AsyncLogger {
public:
    explicit AsyncLogger(std::shared_ptr<Sink> sink) : sink_(std::move(sink)), writer_(&AsyncLogger::run, this) {}

    ~AsyncLogger()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            done_ = true;
        }
        wake_.notify_one();
        writer_.join();
    }

    void log(Severity severity, std::string text)
    {
        Record r{severity, std::move(text)};
        if (severity == Severity::Fatal) {
            sink_->write(r);
            return;
        }
        std::lock_guard<std::mutex> lock(mutex_);
        pending_.push_back(std::move(r));
        wake_.notify_one();
    }

private:
    void run()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (true) {
            wake_.wait(lock, [this] { return done_ || !pending_.empty(); });
            if (pending_.empty())
                return;
            std::vector<Record> batch;
            batch.swap(pending_);
            lock.unlock();
            for (const Record &r : batch)
                sink_->write(r);
            lock.lock();
        }
    }

    std::shared_ptr<Sink> sink_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Record> pending_;
    bool done_ = false;
    std::thread writer_;
};

} // namespace logging

int main()
{
    auto sink = std::make_shared<logging::MemorySink>();
    {
        logging::AsyncLogger logger(sink);
        logger.log(logging::Severity::Info, "service started");
        logger.log(logging::Severity::Fatal, "disk full");
    }
    assert(sink->lines() == 2);
    std::printf("%zu lines, %zu bytes\n", sink->lines(), sink->bytes());
    return 0;
}
