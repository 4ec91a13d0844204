/* EXPECT verdict=data-race exit=7
 * EXPECT verdict=data-race exit=7 -- -O2
 * The same with a plain variable behind the handler. */
#include <atomic>
#include <thread>

static std::atomic<int> state;
static int plain;

__attribute__((noinline)) static void may_throw(int value)
{
    if (value)
        throw value;
}

static int look()
{
    int seen = 0;
    try {
        may_throw(state.load());
    } catch (int) {
        seen++;
    }
    return seen + state.load() + plain;
}

int main()
{
    std::thread other([] {
        state = 1;
        plain = 2;
    });
    int seen = look();
    other.join();
    return seen > 100;
}
