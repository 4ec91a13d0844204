/* EXPECT verdict=passed exit=0 complete=true executions=923 distinct=10 -- -std=c++17
 * The hits are atomic; the value is written under the exclusive lock. */
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static std::atomic<int> hits;
static int value;

static int lookup()
{
    std::shared_lock<std::shared_mutex> guard(mutex);
    hits++; /* HERE */
    return value;
}

int main()
{
    {
        std::unique_lock<std::shared_mutex> guard(mutex);
        value = 1;
    }
    std::thread a(lookup), b(lookup);
    a.join();
    b.join();
    return hits != 2;
}
