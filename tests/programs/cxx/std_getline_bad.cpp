/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -DWORDS
 * Two threads take lines from one stream, each under a lock of its own. */
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::istringstream input("a\nb\nc\n");
static std::mutex first_lock, second_lock;
static std::string taken[2];

static void take(std::mutex &lock, std::string &line)
{
    std::lock_guard<std::mutex> guard(lock);
#ifdef WORDS
    input >> line;
#else
    std::getline(input, line);
#endif
}

int main()
{
    std::thread first([] { take(first_lock, taken[0]); });
    std::thread second([] { take(second_lock, taken[1]); });
    first.join();
    second.join();
    assert(taken[0] != taken[1]);
}
