/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * A thread_local object is taken for shared: every thread has its own, made afresh. */
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
    assert(mine.text.size() == 41); /* HERE */
    return 0;
}
