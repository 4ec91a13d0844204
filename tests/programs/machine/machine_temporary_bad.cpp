/* EXPECT verdict=data-race exit=7 bound=0
 * A temporary object that a reference keeps alive has no place in the debug information. */
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
    work.done++;
    thread.join();
    return 0;
}
