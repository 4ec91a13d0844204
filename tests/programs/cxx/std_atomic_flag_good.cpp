/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * atomic_flag with wait and notify; atomic_ref. */
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
    ready.notify_one();
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
