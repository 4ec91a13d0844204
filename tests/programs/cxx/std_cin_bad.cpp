/* EXPECT verdict=assertion exit=1 bound=0 executions=3 distinct=2
 * Standard input at its end: whether the other thread has found that out is up to the schedule,
 * and no race. */
#include <cassert>
#include <iostream>
#include <thread>

static int number = 1;
static bool good;

int main()
{
    std::thread reads([] { std::cin >> number; }), looks([] { good = std::cin.good(); });
    reads.join();
    looks.join();
    assert(!good);
}
