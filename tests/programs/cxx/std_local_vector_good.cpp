/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1
 * A vector of main that a thread has a reference to: main adds to it when the thread is over.
 * (clang does not announce what main does to parts of its own variables.) */
#include <thread>
#include <vector>

int main()
{
    std::vector<int> numbers;
    numbers.reserve(4);
    std::thread other([&] { numbers.push_back(1); });
    other.join();
    numbers.push_back(2);
    return numbers.size() == 3;
}
