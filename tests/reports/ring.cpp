// A bounded ring guarded by two counting semaphores; the index of the next slot is read and advanced
// in two steps, so that two producers write the same slot. C++20.
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

namespace telemetry {

enum class Unit : unsigned char { none, celsius, percent };

struct Sample {
    Unit unit = Unit::none;
    float value = 0;
};

template <class T, std::ptrdiff_t Capacity>
class RingBuffer {
public:
    void put(const T &item)
    {
        space_.acquire();
        const auto at = tail_.load();
        cells_[at % Capacity].store(item);
        tail_.store(at + 1);
        filled_.release();
    }

    T get()
    {
        filled_.acquire();
        const auto at = head_.fetch_add(1);
        T item = cells_[at % Capacity].exchange(T{});
        space_.release();
        return item;
    }

private:
    std::counting_semaphore<Capacity> space_{Capacity};
    std::counting_semaphore<Capacity> filled_{0};
    std::atomic<std::size_t> head_{0}, tail_{0};
    std::array<std::atomic<T>, Capacity> cells_{};
};

class Station {
public:
    void measure(Unit unit, float value) { samples_->put(Sample{unit, value}); }
    Sample next() { return samples_->get(); }

private:
    std::unique_ptr<RingBuffer<Sample, 2>> samples_ = std::make_unique<RingBuffer<Sample, 2>>();
};

} // namespace telemetry

int main()
{
    telemetry::Station station;
    std::vector<std::jthread> sensors;
    sensors.emplace_back([&] { station.measure(telemetry::Unit::celsius, 21.5f); });
    sensors.emplace_back([&] { station.measure(telemetry::Unit::percent, 40); });
    for (int i = 0; i < 2; i++) {
        const telemetry::Sample sample = station.next();
        assert(sample.unit != telemetry::Unit::none);
    }
}
