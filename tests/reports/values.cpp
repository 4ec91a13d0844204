// Values of many types in atomics: none of them may be shown as a raw address. C++20.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

struct Version {
    std::uint32_t number;
    std::uint16_t patch;
    bool beta;
};

struct Plain {
    int a, b;
};

enum class Phase { idle, running, done };

// A lock that the same thread may take again.
class OwnedLock {
public:
    void lock()
    {
        std::thread::id none;
        while (!owner_.compare_exchange_strong(none, std::this_thread::get_id()))
            none = {};
    }
    void unlock() { owner_.store({}); }

private:
    std::atomic<std::thread::id> owner_{};
};

static void greet() {}

static std::atomic<Plain *> published{nullptr};
static std::atomic<void *> opaque{nullptr};
static std::atomic<std::uintptr_t> tagged{0};
static std::atomic<void (*)()> callback{nullptr};
static std::atomic<const char *> text{nullptr};
static std::atomic<Version> version{Version{1, 2, false}};
static std::atomic<Phase> phase{Phase::idle};
static std::atomic<float> ratio{0.5f};
static std::atomic<int *> borrowed{nullptr};
static OwnedLock owned;
static std::list<std::mutex> locks;

static void run(std::atomic<int> &finished)
{
    owned.lock();
    auto node = std::make_unique<Plain>();
    auto count = std::make_unique<std::atomic<int>>(1);
    published.store(node.get());
    opaque.store(node.get());
    count->store(2);
    tagged.store(reinterpret_cast<std::uintptr_t>(count.get()) | 1);
    callback.store(greet);
    text.store("hello");
    version.store(Version{2, 0, true});
    phase.store(Phase::running);
    ratio.store(0.25f);
    for (auto &lock : locks)
        lock.lock(), lock.unlock();
    owned.unlock();
    finished.store(1);
}

int main()
{
    std::atomic<int> finished{0};
    int local = 5;
    locks.emplace_back();
    locks.emplace_back();
    borrowed.store(&local);
    {
        std::jthread other(run, std::ref(finished));
    }
    assert(phase.load() == Phase::done);
}
