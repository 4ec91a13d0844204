/* oneTBB concurrent_hash_map: two threads add to the same key under its accessor.
 * SEED: one of them keeps a reference after the accessor has gone. */
#include <cassert>
#include <tbb/concurrent_hash_map.h>
#include <thread>

using Map = tbb::concurrent_hash_map<int, int>;
static Map map;

static void add(bool careless)
{
    int *slot;
    {
        Map::accessor entry;
        map.insert(entry, 7);
        if (!careless) {
            entry->second++;
            return;
        }
        slot = &entry->second;
    }
    ++*slot;
}

int main()
{
#ifdef SEED
    bool careless = true;
#else
    bool careless = false;
#endif
    std::thread a(add, false), b(add, careless);
    a.join();
    b.join();
    Map::const_accessor entry;
    assert(map.find(entry, 7) && entry->second == 2);
}
