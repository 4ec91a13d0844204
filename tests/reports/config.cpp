// Double-checked initialisation that publishes the pointer before the object is filled in. C++17.
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

enum Level { LEVEL_UNSET, LEVEL_DEBUG, LEVEL_ERROR };

struct Limits {
    double ratio = 0.0;
    char separator = 0;
    bool strict = false;
};

class Config {
public:
    static Config *instance()
    {
        Config *config = instance_.load(std::memory_order_acquire);
        if (config)
            return config;
        std::lock_guard<std::mutex> guard(mutex_);
        config = instance_.load(std::memory_order_relaxed);
        if (!config) {
            config = new Config;
            instance_.store(config, std::memory_order_release);
            config->load();
        }
        return config;
    }

    Level level() const { return level_.load(std::memory_order_acquire); }
    double ratio() const { return limits_->ratio; }

private:
    Config() : limits_(new Limits) {}

    void load()
    {
        limits_->ratio = 0.75;
        limits_->separator = ';';
        limits_->strict = true;
        values_["level"] = "debug";
        level_.store(LEVEL_DEBUG, std::memory_order_release);
    }

    static std::atomic<Config *> instance_;
    static std::mutex mutex_;
    std::unique_ptr<Limits> limits_;
    std::map<std::string, std::string> values_;
    std::atomic<Level> level_{LEVEL_UNSET};
};

std::atomic<Config *> Config::instance_{nullptr};
std::mutex Config::mutex_;

static void client()
{
    Config *config = Config::instance();
    assert(config->level() == LEVEL_DEBUG);
    assert(config->ratio() > 0.5);
}

int main()
{
    std::thread first(client), second(client);
    first.join();
    second.join();
    return 0;
}
