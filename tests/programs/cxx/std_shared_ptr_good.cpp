/* EXPECT verdict=passed exit=0 complete=true executions=461 distinct=10
 * Each thread has its own shared_ptr object to the same target; whoever is last deletes it. */
#include <memory>
#include <thread>

static int use(const std::shared_ptr<int> &pointer)
{
    std::shared_ptr<int> mine = pointer;
    return *mine;
}

int main()
{
    auto global = std::make_shared<int>(1);
    std::thread a([copy = global] { use(copy); }), b([&] { use(global); });
    a.join();
    b.join();
    return 0;
}
