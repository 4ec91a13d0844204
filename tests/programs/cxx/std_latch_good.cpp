/* EXPECT verdict=passed exit=0 -- -std=c++20 --bound 1
 * A latch: what the workers wrote is read when all have counted down. */
#include <cassert>
#include <latch>
#include <thread>

static std::latch done(2);
static int part[2];

static void work(int number)
{
    part[number] = number + 1;
    done.count_down();
}

int main()
{
    std::thread first(work, 0), second(work, 1);
    done.wait();
    int sum = part[0] + part[1];
    first.join();
    second.join();
    assert(sum == 3);
}
