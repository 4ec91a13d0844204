/* EXPECT verdict=passed exit=0 complete=true
 * Each thread has its own member. */
#include <functional>
#include <thread>

struct task {
    long runs, other, done;
    void operator()()
    {
        done++;
    }
};

int main()
{
    auto &&work = task{0, 0, 0};
    std::thread thread(std::ref(work));
    work.runs++;
    thread.join();
    return 0;
}
