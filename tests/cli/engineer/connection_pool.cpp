// A connection pool that counts its free connections with an atomic and keeps them in a vector
// under a mutex: the check and the removal are two steps.
// FAILS exception
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class Connection {
public:
    explicit Connection(int number) : name_("connection " + std::to_string(number)) {}
    void send(const std::string &text) { sent_ += text.size(); }
    std::size_t sent() const { return sent_; }

private:
    std::string name_;
    std::size_t sent_ = 0;
};

class ConnectionPool {
public:
    explicit ConnectionPool(int count)
    {
        for (int i = 0; i < count; i++)
            give_back(std::make_unique<Connection>(i));
    }

    bool available() const { return free_.load() > 0; }

    std::unique_ptr<Connection> take()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (connections_.empty())
            throw std::runtime_error("the pool is empty");
        std::unique_ptr<Connection> connection = std::move(connections_.back());
        connections_.pop_back();
        free_.fetch_sub(1);
        return connection;
    }

    void give_back(std::unique_ptr<Connection> connection)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        connections_.push_back(std::move(connection));
        free_.fetch_add(1);
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::atomic<int> free_{0};
};

static void request(ConnectionPool &pool, const std::string &text)
{
    if (!pool.available())
        return;
    std::unique_ptr<Connection> connection = pool.take();
    connection->send(text);
    pool.give_back(std::move(connection));
}

int main()
{
    ConnectionPool pool(1);
    std::thread one(request, std::ref(pool), "SELECT 1");
    std::thread two(request, std::ref(pool), "SELECT 2");
    one.join();
    two.join();
    return 0;
}
