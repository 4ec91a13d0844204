/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -std=c++17
 * EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -std=c++17 -DPOOL
 * EXPECT verdict=passed exit=0 complete=true executions=4399 distinct=44 -- -std=c++17 -DLOCKED_POOL
 * A memory resource serves two threads under one lock, or has locks of its own; that one is a
 * read-write lock which the constructor has used before main. */
#include <cassert>
#include <memory_resource>
#include <mutex>
#include <thread>

#ifdef POOL
static std::pmr::unsynchronized_pool_resource memory;
#elif defined LOCKED_POOL
static std::pmr::synchronized_pool_resource memory;
#else
static std::pmr::monotonic_buffer_resource memory;
#endif
static std::mutex lock;
static void *block[2];

static void take(void *&mine)
{
#ifndef LOCKED_POOL
    std::lock_guard<std::mutex> guard(lock);
#endif
    mine = memory.allocate(16);
}

int main()
{
    std::thread first([] { take(block[0]); }), second([] { take(block[1]); });
    first.join();
    second.join();
    assert(block[0] != block[1]);
    memory.deallocate(block[0], 16);
    memory.deallocate(block[1], 16);
}
