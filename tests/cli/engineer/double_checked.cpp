// Double-checked initialisation with a plain pointer: the fast path reads it without the mutex.
// FAILS race
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class Settings {
public:
    Settings()
    {
        values_["host"] = "localhost";
        values_["port"] = "8080";
    }

    std::string get(const std::string &key) const
    {
        auto found = values_.find(key);
        return found == values_.end() ? std::string() : found->second;
    }

    static Settings &instance()
    {
        if (!instance_) {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!instance_)
                instance_ = std::make_unique<Settings>();
        }
        return *instance_;
    }

private:
    static std::mutex mutex_;
    static std::unique_ptr<Settings> instance_;
    std::map<std::string, std::string> values_;
};

std::mutex Settings::mutex_;
std::unique_ptr<Settings> Settings::instance_;

class Server {
public:
    explicit Server(std::string name) : name_(std::move(name)) {}
    void serve() { address_ = Settings::instance().get("host") + ":" + Settings::instance().get("port"); }
    const std::string &address() const { return address_; }

private:
    std::string name_;
    std::string address_;
};

int main()
{
    Server first("first"), second("second");
    std::thread one(&Server::serve, &first);
    std::thread two(&Server::serve, &second);
    one.join();
    two.join();
    return first.address() == second.address() ? 0 : 1;
}
