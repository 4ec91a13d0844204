// A logger whose level is atomic but whose sink is swapped while others write through it: the
// old sink is used after it was deleted.
// FAILS memory
#include <atomic>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

enum class Level { debug, info, warning };

class Sink {
public:
    virtual ~Sink() = default;
    virtual void write(Level level, const std::string &line) = 0;
};

class CountingSink : public Sink {
public:
    void write(Level level, const std::string &line) override
    {
        lines_.fetch_add(1, std::memory_order_relaxed);
        last_.store(static_cast<int>(level), std::memory_order_relaxed);
        bytes_.fetch_add(line.size(), std::memory_order_relaxed);
    }

private:
    std::atomic<std::size_t> lines_{0};
    std::atomic<std::size_t> bytes_{0};
    std::atomic<int> last_{0};
};

class Logger {
public:
    Logger() : sink_(new CountingSink) {}
    ~Logger() { delete sink_.load(); }

    void set_level(Level level) { level_.store(level); }

    void rotate()
    {
        Sink *old = sink_.exchange(new CountingSink);
        delete old;
    }

    void log(Level level, int request)
    {
        if (level < level_.load())
            return;
        std::ostringstream line;
        line << "request " << request;
        sink_.load()->write(level, line.str());
    }

private:
    std::atomic<Level> level_{Level::info};
    std::atomic<Sink *> sink_;
};

int main()
{
    Logger logger;
    std::thread worker([&logger] {
        for (int request = 0; request < 2; request++)
            logger.log(Level::warning, request);
    });
    logger.rotate();
    worker.join();
    return 0;
}
