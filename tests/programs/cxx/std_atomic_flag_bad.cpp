/* EXPECT verdict=deadlock exit=2 bound=0 -- -std=c++20
 * The flag is set, but nobody is told. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag ready = ATOMIC_FLAG_INIT;
static int data;
static int counter;

static void produce()
{
    std::atomic_ref<int>(counter).fetch_add(1);
    data = 7;
    ready.test_and_set();
}

int main()
{
    std::thread thread(produce);
    std::atomic_ref<int>(counter).fetch_add(1);
    ready.wait(false);
    assert(data == 7);
    thread.join();
    assert(counter == 2);
}
