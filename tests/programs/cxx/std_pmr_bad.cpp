/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++17
 * EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++17 -DPOOL
 * A memory resource for one thread serves two, each under a lock of its own. */
#include <cassert>
#include <memory_resource>
#include <mutex>
#include <thread>

#ifdef POOL
static std::pmr::unsynchronized_pool_resource memory;
#else
static std::pmr::monotonic_buffer_resource memory;
#endif
static std::mutex first_lock, second_lock;
static void *block[2];

static void take(std::mutex &lock, void *&mine)
{
    std::lock_guard<std::mutex> guard(lock);
    mine = memory.allocate(16);
}

int main()
{
    std::thread first([] { take(first_lock, block[0]); });
    std::thread second([] { take(second_lock, block[1]); });
    first.join();
    second.join();
    assert(block[0] != block[1]);
}
