/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * Two threads write to one std::ostringstream under one lock, in either order. */
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

static std::ostringstream line;
static std::mutex lock;

static void put(int number)
{
    std::lock_guard<std::mutex> guard(lock);
    line << number;
}

int main()
{
    std::thread first(put, 1), second(put, 2);
    first.join();
    second.join();
    assert(line.str() == "12" || line.str() == "21");
}
