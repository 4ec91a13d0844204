// Double-checked initialisation with static members: the pointer is published before fill(). C++20.
// SAYS T1's write of SettingsRegistry::current_->port
// SAYS In short: Nothing orders T1's
// SAYS sees T1's store SettingsRegistry::current_
// SAYS , made before that write: published before initialised
#include <atomic>
#include <cassert>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

enum class Level { Debug, Info, Error };

struct Settings {
    std::map<std::string, std::string> values;
    int port = 0;
    double timeout = 0.0;
    Level level = Level::Debug;
    bool verbose = false;
};

class SettingsRegistry {
public:
    static Settings &instance()
    {
        Settings *s = current_.load(std::memory_order_acquire);
        if (s == nullptr) {
            std::lock_guard<std::mutex> lock(mutex_);
            s = current_.load(std::memory_order_relaxed);
            if (s == nullptr) {
                s = new Settings;
                current_.store(s, std::memory_order_release);
                fill(*s);
            }
        }
        return *s;
    }

    static void reset()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        delete current_.load();
        current_.store(nullptr);
    }

private:
    static void fill(Settings &s)
    {
        s.values["host"] = "localhost";
        s.port = 8080;
        s.timeout = 2.5;
        s.level = Level::Error;
        s.verbose = true;
    }

    static std::atomic<Settings *> current_;
    static std::mutex mutex_;
};

std::atomic<Settings *> SettingsRegistry::current_{nullptr};
std::mutex SettingsRegistry::mutex_;

class Client {
public:
    explicit Client(std::string name) : name_(std::move(name)) {}

    void connect()
    {
        Settings &s = SettingsRegistry::instance();
        port_ = s.port;
        if (s.level == Level::Error)
            quiet_ = true;
    }

    int port() const { return port_; }
    bool quiet() const { return quiet_; }

private:
    std::string name_;
    int port_ = -1;
    bool quiet_ = false;
};

int main()
{
    std::vector<std::unique_ptr<Client>> clients;
    clients.push_back(std::make_unique<Client>("alpha"));
    clients.push_back(std::make_unique<Client>("beta"));
    std::vector<std::thread> threads;
    for (auto &c : clients)
        threads.emplace_back([&c] { c->connect(); });
    for (auto &t : threads)
        t.join();
    for (auto &c : clients)
        assert(c->port() == 8080);
    SettingsRegistry::reset();
    std::puts("connected");
    return 0;
}
