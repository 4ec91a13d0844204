/* Double-checked initialisation as in singleton.cpp, right.
 *
 *     mazur check examples/singleton_fixed.cpp
 *
 * The store that publishes the object is a release, and the first look an acquire: whoever sees
 * the pointer sees the object. (A function-local static does all this by itself.) */
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
    settings *found = instance.load(std::memory_order_acquire);
    if (!found) {
        std::lock_guard<std::mutex> guard(mutex);
        found = instance.load(std::memory_order_relaxed);
        if (!found) {
            found = new settings;
            instance.store(found, std::memory_order_release);
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
