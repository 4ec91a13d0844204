/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1 -- -std=c++17
 * The cache counts its hits under the shared lock: readers race with each other. */
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int hits;
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
