/* EXPECT verdict=passed exit=0 complete=true executions=18032 distinct=108
 * An exception goes from one thread to another; whoever lets go of it last destroys it. */
#include <cassert>
#include <future>
#include <thread>

static void fail(std::promise<void> promise)
{
    try {
        throw 3;
    } catch (...) {
        promise.set_exception(std::current_exception());
    }
}

int main()
{
    std::promise<void> promise;
    std::future<void> future = promise.get_future();
    std::thread worker(fail, std::move(promise));
    try {
        future.get();
        assert(false);
    } catch (int &number) {
        assert(number == 3);
    }
    worker.join();
}
