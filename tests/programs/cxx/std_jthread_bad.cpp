/* EXPECT verdict=livelock exit=3 bound=0 executions=1 distinct=1 -- -std=c++20
 * A std::jthread waits for a flag instead of its stop token: the destructor asks it to stop and
 * joins for ever. */
#include <atomic>
#include <thread>

static std::atomic<bool> started;

int main()
{
    std::jthread worker([](std::stop_token token) {
        while (!started && token.stop_possible()) {
        }
    });
    return 0;
}
