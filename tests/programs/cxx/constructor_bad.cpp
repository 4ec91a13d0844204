/* EXPECT verdict=memory-error exit=11 bound=0 executions=1 distinct=1
 * A constructor of a global object fills a table, and its destructor empties it while a
 * detached thread may still read. */
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
    std::thread([] { checked(); }).detach();
    return 0;
}
