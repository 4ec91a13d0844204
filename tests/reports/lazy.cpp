// Double-checked initialisation in a template Lazy<T> with a plain pointer: the fast path reads it
// without the lock. C++17.
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace util {

template <typename T>
class Lazy {
public:
    explicit Lazy(std::function<T()> make) : make_(std::move(make)) {}
    ~Lazy() { delete value_; }

    T &get()
    {
        if (value_ == nullptr) {
            std::scoped_lock guard(mutex_);
            if (value_ == nullptr)
                value_ = new T(make_());
        }
        return *value_;
    }

private:
    std::function<T()> make_;
    std::mutex mutex_;
    T *value_ = nullptr;
};

} // namespace util

namespace {

using Prices = std::unordered_map<std::string, std::vector<std::pair<int, double>>>;

class Shop {
public:
    Shop() : prices_([this] { return load(); }) {}

    double price(const std::string &article, int amount)
    {
        const auto &steps = prices_.get().at(article);
        double best = steps.front().second;
        for (const auto &[least, price] : steps)
            if (amount >= least)
                best = price;
        return best * amount;
    }

private:
    Prices load() const
    {
        return {{"bolt", {{1, 0.25}, {100, 0.19}}}, {"nut", {{1, 0.11}}}};
    }

    util::Lazy<Prices> prices_;
};

Shop shop;

} // namespace

int main()
{
    std::thread customer([] { shop.price("bolt", 120); });
    shop.price("nut", 3);
    customer.join();
}
