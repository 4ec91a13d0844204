/* EXPECT verdict=data-race exit=7 -- -std=c++20 --bound 1
 * The second phase begins before the barrier. */
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> phase(2);
static int part[2];
static std::atomic<int> seen;

static void work(int number)
{
    part[number] = 1;
    int other = part[1 - number];
    phase.arrive_and_wait();
    seen.fetch_add(other);
}

int main()
{
    std::thread second(work, 1);
    work(0);
    second.join();
}
