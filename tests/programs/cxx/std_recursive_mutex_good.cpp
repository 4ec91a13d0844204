/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * A recursive mutex is taken again by the function that is called under it. */
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex lock;
static int count;

static void add()
{
    std::lock_guard<std::recursive_mutex> guard(lock);
    count++;
}

static void add_twice()
{
    {
        std::lock_guard<std::recursive_mutex> guard(lock);
        count++;
    }
    add();
}

int main()
{
    std::thread first(add_twice), second(add_twice);
    first.join();
    second.join();
    assert(count == 4);
}
