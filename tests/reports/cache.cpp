// A cache with a free list of slots: pop reads `next`, and meanwhile the slot is taken, given back
// behind another one (ABA), so that two threads own the same slot. C++20.
// SAYS In short: ABA: 
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

struct Entry {
    std::string key;
    std::atomic<int> owner{0};
};

template <typename Value, std::size_t Count>
class SlotCache {
public:
    SlotCache()
    {
        for (std::size_t i = 0; i < Count; i++)
            slots_[i].next = i + 1 < Count ? static_cast<int>(i + 1) : -1;
    }

    int take()
    {
        int head = free_.load();
        while (head >= 0) {
            int next = slots_[head].next.load();
            if (free_.compare_exchange_strong(head, next))
                return head;
        }
        return -1;
    }

    void give(int slot)
    {
        int head = free_.load();
        do
            slots_[slot].next.store(head);
        while (!free_.compare_exchange_strong(head, slot));
    }

    Value &operator[](int slot) { return slots_[slot].value; }

private:
    struct Slot {
        std::atomic<int> next{-1};
        Value value;
    };
    std::atomic<int> free_{0};
    std::array<Slot, Count> slots_;
};

using Cache = SlotCache<Entry, 2>;

static void own(Cache &cache, int me)
{
    int slot = cache.take();
    if (slot < 0)
        return;
    int before = cache[slot].owner.exchange(me);
    assert(before == 0 && "two threads own one slot");
}

int main()
{
    auto cache = std::make_unique<Cache>();
    std::jthread first([&cache] {
        own(*cache, 1);
        own(*cache, 1);
    });
    std::jthread second([&cache] {
        int a = cache->take();
        int b = cache->take();
        if (b >= 0)
            (*cache)[b].owner.store(2);
        if (a >= 0)
            cache->give(a);
    });
    return 0;
}
