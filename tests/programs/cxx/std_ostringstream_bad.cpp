/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * Two threads write to one std::ostringstream, each under a lock of its own. */
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

static std::ostringstream line;
static std::mutex first_lock, second_lock;

static void put(std::mutex &lock, int number)
{
    std::lock_guard<std::mutex> guard(lock);
    line << number;
}

int main()
{
    std::thread first([] { put(first_lock, 1); }), second([] { put(second_lock, 2); });
    first.join();
    second.join();
    assert(line.str() == "12" || line.str() == "21");
}
