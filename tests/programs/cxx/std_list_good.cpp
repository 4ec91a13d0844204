/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -DTREE
 * Lists and sets of two threads, and one for both under a lock. */
#include <cassert>
#include <list>
#include <mutex>
#include <set>
#include <thread>

#ifdef TREE
using container = std::set<int>;
#else
using container = std::list<int>;
#endif
static container numbers{3};
static std::mutex lock;

/* Every function that links nodes. */
static int exercise(container own)
{
    int sum = 0;
#ifdef TREE
    for (int i = 0; i < 40; i++)
        own.insert(i * 7 % 41);
    for (int i = 0; i < 30; i++)
        own.erase(i);
#else
    container other{7, 6};
    own.splice(own.begin(), other);
    own.sort();
    own.reverse();
    own.remove(6);
    std::swap(own, other);
    own.merge(other);
#endif
    for (int number : own)
        sum += number;
    for (auto number = own.rbegin(); number != own.rend(); ++number)
        sum -= *number;
    return sum;
}

static void add(int number)
{
    std::lock_guard<std::mutex> guard(lock);
    numbers.insert(numbers.end(), number);
    assert(exercise(numbers) == 0);
}

int main()
{
    std::thread first(add, 1), second(add, 2);
    first.join();
    second.join();
    assert(numbers.size() == 3);
}
