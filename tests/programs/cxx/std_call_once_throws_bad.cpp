/* EXPECT verdict=assertion exit=1
 * The function of std::call_once throws the first time. Who is told so takes it for done. */
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
    }
    assert(done == 1);
}

int main()
{
    std::thread first(use), second(use);
    first.join();
    second.join();
}
