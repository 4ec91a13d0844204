/* EXPECT verdict=exception exit=1 -- -std=c++20
 * The exception that comes across the join is caught by nobody. */
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
    std::rethrow_exception(thrown);
}
