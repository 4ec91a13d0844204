/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * "Once" by hand with a plain bool. */
#include <mutex>
#include <thread>
#include <vector>

static bool done;
static std::vector<int> *table;

static int worker()
{
    if (!done) {
        table = new std::vector<int>(3, 7);
        done = true;
    }
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
