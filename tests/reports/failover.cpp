// A connection pool that moves the connections of a lost host to another one and wakes nobody: a client of the
// lost host waits for ever. C++17.
// SAYS In short: T1 waits for a signal on
#include <condition_variable>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace db {

struct Connection {
    explicit Connection(std::string h) : host(std::move(h)) {}
    std::string host;
    int uses = 0;
    bool open = true;
};

struct Host {
    std::mutex mutex;
    std::condition_variable returned;
    std::vector<std::unique_ptr<Connection>> idle;
    int failures = 0;
};

class ConnectionPool {
public:
    void add_host(const std::string &name, int connections)
    {
        auto host = std::make_unique<Host>();
        for (int i = 0; i < connections; i++)
            host->idle.push_back(std::make_unique<Connection>(name));
        hosts_[name] = std::move(host);
    }

    std::unique_ptr<Connection> acquire(const std::string &name)
    {
        Host &h = *hosts_.at(name);
        std::unique_lock<std::mutex> lock(h.mutex);
        h.returned.wait(lock, [&h] { return !h.idle.empty(); });
        auto c = std::move(h.idle.back());
        h.idle.pop_back();
        c->uses++;
        return c;
    }

    void release(std::unique_ptr<Connection> c)
    {
        Host &h = *hosts_.at(c->host);
        {
            std::lock_guard<std::mutex> lock(h.mutex);
            h.idle.push_back(std::move(c));
        }
        h.returned.notify_one();
    }

    void fail_over(const std::string &from, const std::string &to)
    {
        Host &source = *hosts_.at(from);
        Host &target = *hosts_.at(to);
        std::lock_guard<std::mutex> first(source.mutex);
        source.failures++;
        std::lock_guard<std::mutex> second(target.mutex);
        while (!source.idle.empty()) {
            auto c = std::move(source.idle.back());
            source.idle.pop_back();
            c->host = to;
            target.idle.push_back(std::move(c));
        }
    }

private:
    std::map<std::string, std::unique_ptr<Host>> hosts_;
};

} // namespace db

class Monitor {
public:
    Monitor(db::ConnectionPool &pool, std::string primary, std::string spare)
        : pool_(pool), primary_(std::move(primary)), spare_(std::move(spare))
    {
    }

    void primary_lost() { pool_.fail_over(primary_, spare_); }
    void spare_lost() { pool_.fail_over(spare_, primary_); }

private:
    db::ConnectionPool &pool_;
    std::string primary_;
    std::string spare_;
};

int main()
{
    auto pool = std::make_unique<db::ConnectionPool>();
    pool->add_host("east", 2);
    pool->add_host("west", 1);
    Monitor monitor(*pool, "east", "west");
    std::thread user([&pool] {
        auto c = pool->acquire("east");
        pool->release(std::move(c));
    });
    std::thread watch([&monitor] { monitor.primary_lost(); });
    user.join();
    monitor.spare_lost();
    watch.join();
    std::puts("done");
    return 0;
}
