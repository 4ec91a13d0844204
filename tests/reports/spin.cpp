// A consumer that copies the flag into a local and waits for the copy to change: a hang. C++17.
// SAYS In short: T1 loops (spin.cpp:
// SAYS after load stop = false (spin.cpp:13, #
#include <atomic>
#include <thread>

static std::atomic<bool> stop{false};
static int turns;

static void consume()
{
    bool go = true;
    go = !stop.load();
    while (go)
        turns++;
}

int main()
{
    std::thread consumer(consume);
    stop = true;
    consumer.join();
}
