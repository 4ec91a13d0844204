/* EXPECT verdict=nothing-found exit=0 complete=false -- --compiler g++ -O0
 * The thread uses an array of a block that main has left. */
#include <atomic>
#include <thread>

static std::atomic<int> go;

int main()
{
    std::thread thread;
    {
        int numbers[4] = {1, 2, 3, 4};
        thread = std::thread([&] {
            while (!go)
                std::this_thread::yield();
            numbers[2]++;
        });
    }
    go = 1;
    thread.join();
    return 0;
}
