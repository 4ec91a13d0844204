/* EXPECT verdict=passed exit=0 complete=true -- --strategy auto -std=c++20 -O0
 * EXPECT verdict=passed exit=0 complete=true -- --strategy auto -std=c++20
 * Destructors at the end of a block, or where an exception leaves it, wait for threads that use its variables;
 * a temporary object may lie where a variable of another block was. (Too many interleavings to run each one.) */
#include <thread>
#include <vector>

static int total;

static void leave(bool by_exception)
{
    try {
        {
            int number = 0;
            std::jthread thread([&] { number++; });
            if (by_exception)
                throw 1;
        }
        total++;
    } catch (int) {
        total += 2;
    }
}

template <class Function> static void run(int count, Function function)
{
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; i++)
        threads.emplace_back([&function, i] { function(i); });
}

int main()
{
    leave(false);
    leave(true);
    for (int i = 0; i < 2; i++) {
        short number = 1;
        std::jthread thread([&] { number++; });
        if (i == 0)
            continue;
    }
    if (total == 3) {
        int numbers[2] = {5, 6};
        run(2, [&](int i) { numbers[i]++; });
    }
    {
        int twice = total;
        run(1, [&](int) { twice *= 2; });
    }
    return total != 3;
}
