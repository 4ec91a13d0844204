/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -std=c++20 -O2
 * Two threads append to one std::string under a lock. */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::string text;
static std::mutex lock;

static void append(const char *part)
{
    std::lock_guard<std::mutex> guard(lock);
    text += part;
}

int main()
{
    std::thread first(append, "a"), second(append, "b");
    first.join();
    second.join();
    assert(text == "ab" || text == "ba");
}
