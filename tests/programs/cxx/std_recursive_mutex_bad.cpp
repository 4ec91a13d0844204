/* EXPECT verdict=data-race exit=7 bound=0 -- -std=c++20
 * The recursive mutex is given back before the second half of the work. */
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex lock;
static int count;

static void add()
{
    { std::lock_guard<std::recursive_mutex> guard(lock); }
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
