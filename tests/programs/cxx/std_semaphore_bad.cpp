/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1 -- -std=c++20
 * C++20 semaphore and latch, which use futexes: the latch expects three and gets two. */
#include <atomic>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch arrived(3);
static std::binary_semaphore mutex(1);
static std::atomic<int> flag;
static int shared;

static void worker()
{
    mutex.acquire();
    shared++;
    mutex.release();
    arrived.arrive_and_wait();
    if (shared != 2)
        throw 1;
}

int main()
{
    std::thread a(worker), b([] {
        worker();
        flag = 1;
        flag.notify_one();
    });
    flag.wait(0);
    a.join();
    b.join();
    return 0;
}
