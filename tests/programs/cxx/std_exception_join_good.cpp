/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * An exception crosses the join in an exception_ptr and is caught behind it. */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static std::exception_ptr thrown;

static void work()
{
    try {
        throw std::runtime_error("no luck");
    } catch (...) {
        thrown = std::current_exception();
    }
}

int main()
{
    std::thread thread(work);
    thread.join();
    std::string what;
    try {
        std::rethrow_exception(thrown);
    } catch (const std::runtime_error &error) {
        what = error.what();
    }
    thrown = nullptr;
    assert(what == "no luck");
}
