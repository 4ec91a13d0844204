/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy dfs --bound none
 * The function of std::call_once throws the first time: then it has not been called, and a thread
 * that waits or asks again calls it. */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls, done;

static void begin()
{
    if (++calls == 1)
        throw 1;
    done++;
}

static void use()
{
    try {
        std::call_once(flag, begin);
    } catch (int) {
        std::call_once(flag, begin);
    }
    assert(done == 1);
}

int main()
{
    std::thread first(use), second(use);
    first.join();
    second.join();
}
