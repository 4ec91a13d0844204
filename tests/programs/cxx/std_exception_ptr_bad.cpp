/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * An exception goes from one thread to another, which changes it while the first one still
 * looks at it. */
#include <future>
#include <thread>

static std::promise<void> promise;
static int seen;

static void fail()
{
    try {
        throw 3;
    } catch (int &number) {
        promise.set_exception(std::current_exception());
        seen = number;
    }
}

int main()
{
    std::thread worker(fail);
    try {
        promise.get_future().get();
    } catch (int &number) {
        number = 4;
    }
    worker.join();
    return seen == 0;
}
