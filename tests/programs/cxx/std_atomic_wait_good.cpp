/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * atomic wait and notify_one. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag;
static int data;

int main()
{
    std::thread setter([] {
        data = 5;
        flag.store(1);
        flag.notify_one();
    });
    flag.wait(0);
    assert(data == 5);
    setter.join();
}
