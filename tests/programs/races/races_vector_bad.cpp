/* EXPECT exit=1 -- -O0 --races explore --strategy random --seed 1
 * EXPECT exit=1 -- -O0 --races explore --strategy random --seed 7
 * EXPECT exit=1 -- -O0 --races explore --strategy random --seed 2 --compiler clang++
 * EXPECT exit=1 -- -O1 --races explore --strategy random --seed 2
 * EXPECT verdict=data-race exit=7
 *
 * Two threads append to a vector without a lock. Racing locations are learned one by one, also
 * while the failure is simplified: its simplest form goes with what was learned by then, else it
 * does not fail again. A recording interrupts reads of locals that the search does not see; right
 * after the hook of a write (clang, -O0) such a read is no operation. */
#include <pthread.h>
#include <vector>

static std::vector<int> numbers;

static void *append(void *argument)
{
    numbers.push_back((int)(long)argument);
    numbers.at(0);
    return nullptr;
}

int main()
{
    pthread_t first, second;
    pthread_create(&first, nullptr, append, (void *)1);
    pthread_create(&second, nullptr, append, (void *)2);
    pthread_join(first, nullptr);
    pthread_join(second, nullptr);
}
