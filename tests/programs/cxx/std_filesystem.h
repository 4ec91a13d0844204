/* std_filesystem_good.cpp and _bad.cpp: one object, two uses, two threads. */
#include <filesystem>
#include <locale>
#include <mutex>
#include <thread>

static std::mutex first_lock, second_lock;

#ifdef PATH
static std::filesystem::path object = "x";
static void change()
{
    object /= "a";
}
static void use()
{
    object.replace_extension("c");
}
#elif defined ITERATOR
static std::filesystem::directory_iterator object("/");
bool seen;
static void change()
{
    ++object;
}
static void use()
{
    seen = object->path().empty();
}
#elif defined LOCALE
static std::locale object;
static void change()
{
    object = std::locale::classic();
}
static void use()
{
    std::locale copy = object;
}
#elif defined HANDLE
static std::thread object;
bool seen;
static void change()
{
    object.join();
}
static void use()
{
    seen = object.joinable();
}
#endif

static void two_threads(std::mutex &changes, std::mutex &uses)
{
#ifdef HANDLE
    object = std::thread([] {});
#endif
    std::thread first([&] {
        std::lock_guard<std::mutex> guard(changes);
        change();
    });
    std::thread second([&] {
        std::lock_guard<std::mutex> guard(uses);
        use();
    });
    first.join();
    second.join();
}
