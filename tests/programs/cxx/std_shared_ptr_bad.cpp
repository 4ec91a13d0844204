/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * One shared_ptr object is copied by one thread and assigned by another. The count is atomic,
 * the pointer is not. */
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
    std::thread a([&] { use(global); }), b([&] { global = std::make_shared<int>(2); });
    a.join();
    b.join();
    return 0;
}
