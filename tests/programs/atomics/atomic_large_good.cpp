/* EXPECT verdict=passed exit=0 -- -latomic --bound 2
 * Atomic objects of 16 and 96 bytes, which the compiler leaves to libatomic. */
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
    long first, second;
};
struct Many {
    long part[12];
};
static std::atomic<Pair> pair{Pair{0, 0}};
static std::atomic<Many> many{Many{}};

static void add(int which)
{
    Pair seen = pair.load();
    while (!pair.compare_exchange_weak(seen, Pair{seen.first + 1, 7})) {
    }
    Many all = many.load();
    Many next;
    do {
        next = all;
        next.part[which]++;
    } while (!many.compare_exchange_strong(all, next));
}

int main()
{
    std::thread thread(add, 0);
    add(11);
    thread.join();
    Many all = many.load();
    assert(all.part[0] == 1 && all.part[11] == 1);
    assert(pair.load().first == 2); // HERE
}
