/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=6
 * A thread_local std::string is made in each thread that uses it and destroyed when the thread
 * ends. */
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> alive;

struct name {
    std::string text = "a string too long for the object itself";
    name() { alive++; }
    ~name() { alive--; }
};

static thread_local name mine;

static void worker()
{
    mine.text += "!";
    assert(mine.text.size() == 40);
}

int main()
{
    std::thread a(worker), b(worker);
    a.join();
    b.join();
    assert(alive == 0 && mine.text.size() == 39);
    return 0;
}
