/* EXPECT verdict=data-race exit=7 -- -std=c++20
 * The latch counts one worker too few. */
#include <cassert>
#include <latch>
#include <thread>

static std::latch done(1);
static int part[2];

static void work(int number)
{
    part[number] = number + 1;
    if (number == 0)
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
