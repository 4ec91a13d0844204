// A pool of connections, each with its own lock for statistics and health checks. C++17.
// SAYS pool.connections_[{"10.0.0.1", 5432}].mutex
// SAYS : lock order inversion
// SAYS T1 blocks: lock pool.mutex_ (exclusive), held by T2
#include <cassert>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace db {

struct Endpoint {
    std::string host;
    int port = 0;
    friend bool operator<(const Endpoint &a, const Endpoint &b)
    {
        return std::tie(a.host, a.port) < std::tie(b.host, b.port);
    }
};

struct Connection {
    enum class Health { good, suspect, broken };

    std::mutex mutex;
    Health health = Health::good;
    int queries = 0;
    int failures = 0;
};

class ConnectionPool {
public:
    using OnBroken = std::function<void(const Endpoint &)>;

    explicit ConnectionPool(std::vector<Endpoint> endpoints)
    {
        for (auto &endpoint : endpoints)
            connections_[std::move(endpoint)];
    }

    void when_broken(OnBroken action) { on_broken_ = std::move(action); }

    // Runs a query on the connection; a failed one makes it suspect, then broken.
    bool query(const Endpoint &endpoint, bool succeeds)
    {
        Connection *connection = find(endpoint);
        if (!connection)
            return false;
        std::lock_guard<std::mutex> guard(connection->mutex);
        connection->queries++;
        if (!succeeds && ++connection->failures == limit_) {
            connection->health = Connection::Health::broken;
            retire(endpoint);
        }
        return succeeds;
    }

    // How many queries all connections have run, at one moment.
    int total_queries() const
    {
        std::shared_lock<std::shared_mutex> pool(mutex_);
        int total = 0;
        for (auto &[endpoint, connection] : connections_) {
            std::lock_guard<std::mutex> guard(connection.mutex);
            total += connection.queries;
        }
        return total;
    }

    std::size_t retired() const
    {
        std::shared_lock<std::shared_mutex> pool(mutex_);
        return retired_.size();
    }

private:
    Connection *find(const Endpoint &endpoint)
    {
        std::shared_lock<std::shared_mutex> pool(mutex_);
        const auto found = connections_.find(endpoint);
        return found == connections_.end() ? nullptr : &found->second;
    }

    void retire(const Endpoint &endpoint)
    {
        {
            std::unique_lock<std::shared_mutex> pool(mutex_);
            retired_.push_back(endpoint);
        }
        if (on_broken_)
            on_broken_(endpoint);
    }

    static constexpr int limit_ = 1;
    mutable std::shared_mutex mutex_;
    mutable std::map<Endpoint, Connection> connections_;
    std::vector<Endpoint> retired_;
    OnBroken on_broken_;
};

} // namespace db

int main()
{
    const db::Endpoint primary{"10.0.0.1", 5432}, replica{"10.0.0.2", 5432};
    db::ConnectionPool pool({primary, replica});
    int alarms = 0;
    pool.when_broken([&alarms](const db::Endpoint &) { alarms++; });

    std::thread client([&] { pool.query(primary, false); });
    std::thread monitor([&] {
        const int total = pool.total_queries();
        assert(total == 0 || total == 1);
    });
    client.join();
    monitor.join();

    assert(alarms == 1 && pool.retired() == 1);
    std::printf("%d\n", pool.total_queries());
    return 0;
}
