/* EXPECT verdict=passed exit=0 complete=true executions=2615 distinct=12
 * std::call_once, and a function-local static: both initialise once and publish. */
#include <mutex>
#include <thread>
#include <vector>

static std::once_flag once;
static std::vector<int> *table;

static int worker()
{
    std::call_once(once, [] { table = new std::vector<int>(3, 7); });
    static const std::vector<int> local(2, 1);
    if (local[1] != 1)
        throw 1;
    return (*table)[2];
}

int main()
{
    std::thread a(worker), b(worker);
    a.join();
    b.join();
    delete table;
    return 0;
}
