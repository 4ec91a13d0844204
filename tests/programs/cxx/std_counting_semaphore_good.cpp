/* EXPECT verdict=passed exit=0 -- -std=c++20 --bound 1
 * A counting semaphore with one permit is a lock. */
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> permits(1);
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
