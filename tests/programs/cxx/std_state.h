/* std_state_good.cpp and _bad.cpp: state that the C++ library keeps for all threads. */
#include <cassert>
#include <thread>

#if defined LOCALE
#include <locale>
static void change()
{
    std::locale::global(std::locale(std::locale::classic(), new std::numpunct<char>));
}
static bool is_first()
{
    return std::locale() == std::locale::classic();
}
#elif defined NEW_HANDLER
#include <new>
static void handler() {}
static void change()
{
    std::set_new_handler(handler);
}
static bool is_first()
{
    return std::get_new_handler() == nullptr;
}
#elif defined TERMINATE
#include <exception>
static void handler() {}
static void change()
{
    std::set_terminate(handler);
}
static bool is_first()
{
    return std::get_terminate() != handler;
}
#elif defined RESOURCE
#include <memory_resource>
static void change()
{
    std::pmr::set_default_resource(std::pmr::null_memory_resource());
}
static bool is_first()
{
    return std::pmr::get_default_resource() != std::pmr::null_memory_resource();
}
#elif defined XALLOC
#include <ios>
static const int before = std::ios_base::xalloc();
static int other;
static void change()
{
    other = std::ios_base::xalloc();
}
static bool is_first()
{
    return std::ios_base::xalloc() == before + 1;
}
#endif
