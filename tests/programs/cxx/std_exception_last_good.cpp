/* EXPECT verdict=passed exit=0 complete=true
 * One lets go before the other begins. */
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
    std::thread a(hold, &first, 1);
    a.join();
    std::thread b(hold, &second, 2);
    b.join();
    assert(destroyed_by == 2);
}
