/* EXPECT verdict=data-race exit=7 -- -std=c++20 --bound 1
 * Two permits let two threads in. */
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> permits(2);
static int count;

static void add()
{
    permits.acquire();
    count++;
    permits.release();
}

int main()
{
    std::thread first(add), second(add);
    first.join();
    second.join();
    return count - 2;
}
