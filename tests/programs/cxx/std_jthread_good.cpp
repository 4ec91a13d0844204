/* EXPECT verdict=passed exit=0 complete=true executions=28 distinct=2 -- -std=c++20
 * A std::jthread is asked to stop and joined by its destructor. */
#include <atomic>
#include <thread>

static std::atomic<bool> started;

int main()
{
    std::jthread worker([](std::stop_token token) {
        started = true;
        while (!token.stop_requested()) {
        }
    });
    return 0;
}
