/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * Constructors and destructors of global objects are part of every execution: the vector is as
 * the constructor left it each time main starts. */
#include <cassert>
#include <thread>
#include <vector>

static std::vector<int> table = {1, 2, 3};

static int sum()
{
    int total = 0;
    for (int element : table)
        total += element;
    return total;
}

static void checked()
{
    assert(sum() == 6);
}

int main()
{
    assert(sum() == 6);
    std::thread first([] { checked(); }), second([] { checked(); });
    first.join();
    second.join();
    table.push_back(4);
    return 0;
}
