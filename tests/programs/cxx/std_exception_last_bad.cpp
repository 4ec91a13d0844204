/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * Two threads hold an exception; whoever lets go last destroys it, and that may be either. */
#include <cassert>
#include <exception>
#include <thread>

static thread_local int self;
static int destroyed_by;

struct failure {
    ~failure() { destroyed_by = self; }
};

static void hold(std::exception_ptr *mine, int number)
{
    self = number;
    *mine = nullptr;
}

int main()
{
    std::exception_ptr first = std::make_exception_ptr(failure()), second = first;
    std::thread a(hold, &first, 1), b(hold, &second, 2);
    a.join();
    b.join();
    assert(destroyed_by == 2); /* HERE */
}
