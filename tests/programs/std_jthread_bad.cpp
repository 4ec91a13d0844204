/* EXPECT verdict=livelock exit=3 bound=0 -- -std=c++20
 * A std::jthread waits for a flag instead of its stop token: the destructor asks it to stop and
 * joins for ever. */
#include <atomic>
#include <thread>

static std::atomic<bool> flag;

int main()
{
    std::jthread worker([](std::stop_token token) {
        while (!flag && (token.stop_possible() || true)) {
        }
    });
    return 0;
}
