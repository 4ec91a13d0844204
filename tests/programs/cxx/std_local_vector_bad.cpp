/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * A vector of main that a thread has a reference to, and both add to it. (clang does not
 * announce what main does to parts of its own variables.) */
#include <thread>
#include <vector>

int main()
{
    std::vector<int> numbers;
    numbers.reserve(4);
    std::thread other([&] { numbers.push_back(1); });
    numbers.push_back(2);
    other.join();
    return numbers.size() == 3;
}
