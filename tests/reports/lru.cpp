// An object cache that recycles its entries through a lock-free free list of raw pointers: an entry is
// taken, used and given back while another thread is about to take it with a stale successor. C++17.
// SAYS In short: ABA: 
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Linked {
    std::atomic<Linked *> next_free{nullptr};
    virtual ~Linked() = default;
};

class Buffer : public Linked {
public:
    bool acquire() { return !in_use_.exchange(true, std::memory_order_acq_rel); }
    void release() { in_use_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> in_use_{false};
    std::uint8_t bytes_[48] = {};
};

class BufferCache {
public:
    explicit BufferCache(std::size_t count)
    {
        for (std::size_t i = 0; i < count; i++) {
            all_.push_back(std::make_unique<Buffer>());
            put(all_.back().get());
        }
    }

    Buffer *get()
    {
        Linked *top = top_.load(std::memory_order_acquire);
        Linked *next;
        do {
            if (!top)
                return nullptr;
            next = top->next_free.load(std::memory_order_acquire);
        } while (!top_.compare_exchange_weak(top, next, std::memory_order_acq_rel));
        return static_cast<Buffer *>(top);
    }

    void put(Buffer *buffer)
    {
        Linked *top = top_.load(std::memory_order_relaxed);
        do
            buffer->next_free.store(top, std::memory_order_relaxed);
        while (!top_.compare_exchange_weak(top, buffer, std::memory_order_acq_rel));
    }

private:
    std::atomic<Linked *> top_{nullptr};
    std::list<std::unique_ptr<Buffer>> all_;
};

static void check_in_use(Buffer *buffer)
{
    if (buffer && !buffer->acquire()) {
        std::fprintf(stderr, "buffer is used by two threads\n");
        std::abort();
    }
}

static void compress(BufferCache &cache)
{
    Buffer *input = cache.get();
    check_in_use(input);
    Buffer *output = cache.get();
    check_in_use(output);
}

static void resize(BufferCache &cache)
{
    Buffer *first = cache.get();
    Buffer *second = cache.get();
    check_in_use(second);
    if (first)
        cache.put(first);
}

int main()
{
    BufferCache cache(2);
    std::vector<std::thread> threads;
    threads.emplace_back(resize, std::ref(cache));
    threads.emplace_back(compress, std::ref(cache));
    for (auto &thread : threads)
        thread.join();
}
