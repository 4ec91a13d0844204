/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * An atomic load behind the handler of an exception: clang leaves a load of its own beside it, which is no
 * plain access of the program. */
#include <atomic>
#include <thread>

static std::atomic<int> state;

__attribute__((noinline)) static void may_throw(int value)
{
    if (value)
        throw value;
}

static int look()
{
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        try {
            may_throw(state.load());
        } catch (int) {
            seen++;
        }
        if (state.load(std::memory_order_acquire) == 2)
            break;
    }
    return seen;
}

int main()
{
    std::thread other([] {
        state = 1;
        state = 2;
    });
    look();
    other.join();
}
