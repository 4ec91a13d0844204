/* EXPECT verdict=passed exit=0 complete=true executions=209 distinct=2
 * Standard input at its end: whether the other thread has found that out is up to the schedule,
 * and no race; afterwards it is known. */
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
    assert(std::cin.eof() && number == 1);
    std::cout << good;
}
