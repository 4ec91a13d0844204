/* EXPECT verdict=exception exit=1 bound=0 executions=1 distinct=1
 * A std::thread object dies while it is joinable: std::terminate. */
#include <atomic>
#include <thread>

static std::atomic<int> ran;

int main()
{
    {
        std::thread worker([] { ran = 1; });
    }
    return 0;
}
