/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1 -- -DTREE
 * One thread goes through a list, or a set, that another adds to: the links between the nodes
 * are the C++ library's work. */
#include <list>
#include <set>
#include <thread>

#ifdef TREE
static std::set<int> numbers{1, 5, 9, 12, 13};
#else
static std::list<int> numbers{1, 5};
#endif
static int last;

int main()
{
    auto end = numbers.end();
    auto number = numbers.begin();
    std::thread adds([end] { numbers.insert(end, 14); });
    std::thread reads([number]() mutable {
        for (int i = 0; i < 2; i++)
            last = *number++; // HERE
    });
    adds.join();
    reads.join();
}
