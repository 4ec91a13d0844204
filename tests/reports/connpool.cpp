// A connection pool: a transfer locks the two connections in the order of its arguments, and one
// thread gives them in the other order. C++17.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Connection {
    explicit Connection(std::string host) : host(std::move(host)) {}
    std::string host;
    std::mutex mutex;
    long balance = 100;
    bool busy = false;
};

class ConnectionPool {
public:
    void add(const std::string &host)
    {
        connections_.push_back(std::make_unique<Connection>(host));
        index_[host] = connections_.size() - 1;
    }

    Connection &at(std::size_t number) { return *connections_[number]; }

    void move(std::size_t from, std::size_t to, long amount)
    {
        Connection &source = at(from), &target = at(to);
        std::lock_guard<std::mutex> first(source.mutex);
        source.busy = true;
        std::lock_guard<std::mutex> second(target.mutex);
        source.balance -= amount;
        target.balance += amount;
        source.busy = false;
    }

private:
    std::vector<std::unique_ptr<Connection>> connections_;
    std::unordered_map<std::string, std::size_t> index_;
};

int main()
{
    auto pool = std::make_shared<ConnectionPool>();
    pool->add("alpha");
    pool->add("beta");
    std::vector<std::thread> threads;
    std::function<void()> forth = [pool] { pool->move(0, 1, 10); };
    std::function<void()> back = [pool] { pool->move(1, 0, 20); };
    threads.emplace_back(forth);
    threads.emplace_back(back);
    for (auto &thread : threads)
        thread.join();
    return pool->at(0).balance + pool->at(1).balance == 200 ? 0 : 1;
}
