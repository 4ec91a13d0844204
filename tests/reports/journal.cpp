// A logger whose sink is exchanged by rotate() while log() still writes through a raw pointer that it
// took under the lock. C++17.
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

namespace journal {

class Sink {
public:
    explicit Sink(std::string name) : name_(std::move(name)) {}
    virtual ~Sink() = default;
    virtual void write(std::string_view line) = 0;

protected:
    std::string name_;
};

class MemorySink final : public Sink {
public:
    using Sink::Sink;
    void write(std::string_view line) override
    {
        lines_ += line;
        ++count_;
    }

private:
    std::string lines_;
    unsigned count_ = 0;
};

template <typename... Args>
std::string join(const Args &...args)
{
    std::ostringstream out;
    (out << ... << args);
    return out.str();
}

class Logger {
public:
    template <typename... Args>
    void log(const Args &...args)
    {
        Sink *sink = current();
        sink->write(join(args...));
    }

    void rotate(std::string name)
    {
        auto fresh = std::make_unique<MemorySink>(std::move(name));
        std::lock_guard<std::mutex> guard(mutex_);
        sink_ = std::move(fresh);
    }

private:
    Sink *current()
    {
        std::lock_guard<std::mutex> guard(mutex_);
        return sink_.get();
    }

    std::mutex mutex_;
    std::unique_ptr<Sink> sink_ = std::make_unique<MemorySink>("log.0");
};

} // namespace journal

int main()
{
    auto logger = std::make_shared<journal::Logger>();
    std::thread rotator([logger] { logger->rotate("log.1"); });
    logger->log("request ", 17, " took ", 0.25, " s");
    rotator.join();
}
