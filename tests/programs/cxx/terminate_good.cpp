/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * The thread is joined before its object dies. */
#include <atomic>
#include <thread>

static std::atomic<int> ran;

int main()
{
    {
        std::thread worker([] { ran = 1; });
        worker.join();
    }
    return 0;
}
