/* EXPECT verdict=nothing-found exit=0 complete=false -- -O0 --races explore --strategy random --seed 1 --execs 200
 * EXPECT verdict=passed exit=0 complete=true -- --races explore
 *
 * The same under a lock. */
#include <mutex>
#include <pthread.h>
#include <vector>

static std::mutex guard;
static std::vector<int> numbers;

static void *append(void *argument)
{
    std::lock_guard<std::mutex> held(guard);
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
