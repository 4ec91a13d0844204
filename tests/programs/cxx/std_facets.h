/* std_facets_good.cpp and _bad.cpp: memory of the program that functions inside the C++ library
 * read or write, and a thread that uses it, too. */
#include <mutex>
#include <thread>

static std::mutex first_lock, second_lock;

#if defined WIDTH
#include <sstream>
static std::ostringstream object;
static void change()
{
    object.width(5);
}
static void use()
{
    object << 3;
}
#elif defined PRECISION
#include <sstream>
static std::ostringstream object;
static void change()
{
    object.precision(2);
}
static void use()
{
    object << 3.14159;
}
#elif defined NUMBER
#include <sstream>
static std::istringstream text("12");
static long object;
static void change()
{
    object = 3;
}
static void use()
{
    text >> object;
}
#elif defined POSITION
#include <sstream>
static std::istringstream object("12");
static long number;
bool seen;
static void change()
{
    seen = object.rdbuf()->in_avail() > 0;
}
static void use()
{
    object >> number;
}
#elif defined TIME
#include <ctime>
#include <iomanip>
#include <sstream>
static std::istringstream text("2020");
static std::tm object;
static void change()
{
    object.tm_year = 3;
}
static void use()
{
    text >> std::get_time(&object, "%Y");
}
#elif defined TO_CHARS
#include <charconv>
static char object[32];
static void change()
{
    object[0] = 'x';
}
static void use()
{
    std::to_chars(object, object + 32, 3.25);
}
#elif defined FROM_CHARS
#include <charconv>
static char object[] = "3.25";
double value;
static void change()
{
    object[0] = '1';
}
static void use()
{
    std::from_chars(object, object + 4, value);
}
#elif defined FROM_CHARS_VALUE
#include <charconv>
static double object;
static void change()
{
    object = 1;
}
static void use()
{
    const char *text = "3.25";
    std::from_chars(text, text + 4, object);
}
#elif defined UPPER
#include <locale>
static char object[] = "abc";
static void change()
{
    object[1] = 'x';
}
static void use()
{
    std::use_facet<std::ctype<char>>(std::locale::classic()).toupper(object, object + 3);
}
#elif defined CONVERT
#include <locale>
static char object[] = "abc";
static void change()
{
    object[1] = 'x';
}
static void use()
{
    const auto &facet =
        std::use_facet<std::codecvt<wchar_t, char, std::mbstate_t>>(std::locale::classic());
    std::mbstate_t state = {};
    const char *next;
    wchar_t to[3], *to_next;
    facet.in(state, object, object + 3, next, to, to + 3, to_next);
}
#elif defined COMPARE
#include <locale>
static char object[] = "abc";
int order;
static void change()
{
    object[1] = 'x';
}
static void use()
{
    const auto &facet = std::use_facet<std::collate<char>>(std::locale::classic());
    order = facet.compare(object, object + 3, object, object + 1);
}
#elif defined HASH
#include <string_view>
static char object[] = "abcdefghijk";
size_t value;
static void change()
{
    object[3] = 'z';
}
static void use()
{
    value = std::hash<std::string_view>{}(std::string_view(object, 11));
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
