/* EXPECT verdict=passed exit=0 executions=219472 distinct=1050 -- -std=c++20 --bound 1
 * C++20 semaphore, latch and atomic wait/notify, which use futexes. (Not searched further: with
 * two preemptions the semaphore of libstdc++ 12 itself may sleep for ever, GCC bug 104928; see
 * futex_bad.c.) */
#include <atomic>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch arrived(2);
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
