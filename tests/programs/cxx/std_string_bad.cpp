/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++20 -O2
 * Two threads append to one std::string. */
#include <cassert>
#include <string>
#include <thread>

static std::string text;

int main()
{
    std::thread first([] { text += "a"; }), second([] { text += "b"; });
    first.join();
    second.join();
    assert(text.size() == 2);
}
