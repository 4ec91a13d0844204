/* EXPECT verdict=deadlock exit=2 bound=0 -- -std=c++20
 * The flag is set, but the one who waits for it is not notified. */
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
    });
    flag.wait(0);
    assert(data == 5);
    setter.join();
}
