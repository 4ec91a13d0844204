/* EXPECT verdict=data-race exit=7 bound=0 -- -std=c++20 --bound 1
 * Two asynchronous tasks add to the same sum. */
#include <cassert>
#include <future>
#include <thread>

static int sum;

static int add(int number)
{
    sum += number;
    return number;
}

int main()
{
    std::packaged_task<int(int)> task(add);
    std::future<int> packaged = task.get_future();
    std::future<int> started = std::async(std::launch::async, add, 2);
    std::thread runner(std::move(task), 1);
    int both = packaged.get() + started.get();
    runner.join();
    assert(both == 3);
    return sum > 100;
}
