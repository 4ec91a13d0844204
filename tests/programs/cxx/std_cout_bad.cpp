/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -DUNSYNCHRONISED
 * EXPECT verdict=data-race exit=7 bound=0 says=std::cout executions=1 distinct=1
 * Threads may print to std::cout at any time, but not after sync_with_stdio(false); and what a
 * manipulator sets there is as any other variable. */
#include <iostream>
#include <thread>

static void print(int number)
{
#ifndef UNSYNCHRONISED
    std::cout << std::hex;
#endif
    std::cout << number << '\n';
}

int main()
{
#ifdef UNSYNCHRONISED
    std::ios::sync_with_stdio(false);
#endif
    std::thread first(print, 10), second(print, 11);
    first.join();
    second.join();
}
