/* EXPECT verdict=passed exit=0 -- -std=c++20 --bound 1
 * A barrier between two phases: each reads what the other has written in the first. */
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
    phase.arrive_and_wait();
    int other = part[1 - number];
    seen.fetch_add(other);
}

int main()
{
    std::thread second(work, 1);
    work(0);
    second.join();
}
