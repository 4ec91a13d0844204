// A cache of buffers whose free list is popped by compare-and-swap without a version: a buffer
// that comes back in between (ABA) makes the list hand out one buffer twice.
// FAILS assertion
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

struct Buffer {
    std::atomic<Buffer *> next{nullptr};
    std::atomic<int> owners{0};
    std::array<char, 16> bytes{};
};

class BufferCache {
public:
    BufferCache()
    {
        for (Buffer &buffer : buffers_)
            release(&buffer);
    }

    Buffer *acquire()
    {
        Buffer *top = free_.load();
        while (top) {
            Buffer *next = top->next.load();
            if (free_.compare_exchange_weak(top, next))
                break;
        }
        return top;
    }

    void release(Buffer *buffer)
    {
        Buffer *top = free_.load();
        do {
            buffer->next.store(top);
        } while (!free_.compare_exchange_weak(top, buffer));
    }

private:
    std::array<Buffer, 3> buffers_;
    std::atomic<Buffer *> free_{nullptr};
};

class Lease {
public:
    explicit Lease(BufferCache &cache) : cache_(cache), buffer_(cache.acquire())
    {
        if (buffer_) {
            int before = buffer_->owners.fetch_add(1);
            assert(before == 0 && "one buffer has two owners");
            (void)before;
        }
    }
    ~Lease()
    {
        if (buffer_) {
            buffer_->owners.fetch_sub(1);
            cache_.release(buffer_);
        }
    }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;

private:
    BufferCache &cache_;
    Buffer *buffer_;
};

int main()
{
    BufferCache cache;
    std::thread reader([&cache] {
        Lease first(cache);
        Lease second(cache);
    });
    std::thread writer([&cache] {
        Buffer *a = cache.acquire();
        Lease kept(cache);
        if (a)
            cache.release(a);
        Lease again(cache);
    });
    reader.join();
    writer.join();
    return 0;
}
