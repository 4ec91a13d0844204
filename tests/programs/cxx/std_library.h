/* std_library_good.cpp and _bad.cpp: an object that functions inside the C++ library read or
 * write, and a thread that uses it, too. */
#include <mutex>
#include <thread>

static std::mutex first_lock, second_lock;

#if defined LINE
#include <sstream>
static std::istringstream text("abc\nx");
static char object[8];
static void change()
{
    object[1] = 'q';
}
static void use()
{
    text.getline(object, 8);
}
#elif defined BUFFER
#include <sstream>
#include <string>
static std::istringstream object("abc\nx");
static std::string line;
bool seen;
static void change()
{
    seen = object.rdbuf()->in_avail() > 0;
}
static void use()
{
    std::getline(object, line);
}
#elif defined FILE_PATH
#include <filesystem>
static std::filesystem::path object = "/";
bool seen;
static void change()
{
    object = "/usr";
}
static void use()
{
    seen = std::filesystem::exists(object);
}
#elif defined ERROR_TEXT
#include <stdexcept>
#include <string>
static std::string object = "abc";
static void change()
{
    object[1] = 'q';
}
static void use()
{
    std::runtime_error error(object);
}
#elif defined DYNAMIC_TYPE
#include <new>
struct base {
    virtual ~base() {}
};
struct first : base {
};
struct second : base {
};
alignas(16) static char room[64];
static base *object = new (room) first;
bool seen;
static void change()
{
    new (room) second;
}
static void use()
{
    seen = dynamic_cast<first *>(object) != nullptr;
}
#elif defined LOCALE_NAME
#include <locale>
#include <string>
static std::locale object;
static std::string name;
static void change()
{
    object = std::locale::classic();
}
static void use()
{
    name = object.name();
}
#elif defined STREAM_WORD
#include <sstream>
static std::ostringstream object;
long word;
static void change()
{
    word = object.iword(2);
}
static void use()
{
    object.iword(20) = 3;
}
#endif

static void two_threads(std::mutex &changes, std::mutex &uses)
{
    std::thread other([&] {
        std::lock_guard<std::mutex> guard(changes);
        change();
    });
    {
        std::lock_guard<std::mutex> guard(uses);
        use();
    }
    other.join();
}
