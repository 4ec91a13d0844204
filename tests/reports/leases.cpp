// A connection pool that calls its listener with its lock held, and a listener that asks the pool for
// its size with its own lock held. C++20.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace db {

class Connection {
public:
    explicit Connection(int number) : number_(number) {}
    int number() const { return number_; }

private:
    int number_;
};

class Pool {
public:
    using Listener = std::function<void(const Connection &)>;

    explicit Pool(int size)
    {
        for (int i = 0; i < size; ++i)
            idle_.emplace_back(new Connection(i));
    }

    void on_lease(Listener listener) { listener_ = std::move(listener); }

    std::shared_ptr<Connection> lease()
    {
        std::lock_guard guard(mutex_);
        if (idle_.empty())
            return nullptr;
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        if (listener_)
            listener_(*connection);
        return connection;
    }

    void give_back(std::shared_ptr<Connection> connection)
    {
        std::lock_guard guard(mutex_);
        idle_.push_back(std::move(connection));
    }

    std::size_t idle() const
    {
        std::lock_guard guard(mutex_);
        return idle_.size();
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Connection>> idle_;
    Listener listener_;
};

class Monitor {
public:
    explicit Monitor(Pool &pool) : pool_(pool)
    {
        pool_.on_lease([this](const Connection &connection) {
            std::scoped_lock guard(mutex_);
            ++leases_[connection.number()];
        });
    }

    std::string report()
    {
        std::scoped_lock guard(mutex_);
        return std::to_string(leases_.size()) + " used, " + std::to_string(pool_.idle()) + " idle";
    }

private:
    std::mutex mutex_;
    std::map<int, int> leases_;
    Pool &pool_;
};

} // namespace db

int main()
{
    db::Pool pool(2);
    db::Monitor monitor(pool);
    std::jthread client([&pool] {
        auto connection = pool.lease();
        pool.give_back(std::move(connection));
    });
    std::jthread page([&monitor] { monitor.report(); });
}
