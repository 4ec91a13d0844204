/* libstdc++'s std::barrier with a completion function, two threads, two phases.
 * SEED: the second phase is read before it is reached. */
#include <barrier>
#include <cassert>
#include <thread>

static int phase, sum[2];

int main()
{
    std::barrier barrier(2, []() noexcept { phase++; });
    auto work = [&](int id) {
        sum[id] = id + 1;
#ifndef SEED
        barrier.arrive_and_wait();
#endif
        assert(sum[0] + sum[1] == 3);
        barrier.arrive_and_wait();
    };
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
#ifndef SEED
    assert(phase == 2);
#endif
}
