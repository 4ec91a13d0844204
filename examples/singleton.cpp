/* Double-checked initialisation that may hand out a half-made object.
 *
 *     mazur check examples/singleton.cpp         finds the data race
 *     mazur check examples/singleton_fixed.cpp   the same with the right memory order
 *
 * The second look, under the mutex, is right. The first one is not: a relaxed load orders
 * nothing, so a thread that sees the pointer need not see what it points to. On x86 this passes
 * every test; on ARM and POWER it fails, once in a while. */
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

struct settings {
    std::string host = "localhost";
    int port = 8080;
};

static std::atomic<settings *> instance;
static std::mutex mutex;

static settings *get_settings()
{
    settings *found = instance.load(std::memory_order_relaxed);
    if (!found) {
        std::lock_guard<std::mutex> guard(mutex);
        found = instance.load(std::memory_order_relaxed);
        if (!found) {
            found = new settings;
            instance.store(found, std::memory_order_relaxed);
        }
    }
    return found;
}

static void serve()
{
    if (get_settings()->port != 8080)
        std::abort();
}

int main()
{
    std::thread first(serve), second(serve);
    first.join();
    second.join();
    delete instance.load();
    return 0;
}
