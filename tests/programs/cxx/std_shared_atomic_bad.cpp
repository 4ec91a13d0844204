/* EXPECT verdict=assertion exit=1 bound=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * A lost update through atomic operations on a shared_ptr. */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(0);

static void work()
{
    auto old = std::atomic_load(&shared);
    std::atomic_store(&shared, std::make_shared<int>(*old + 1));
}

int main()
{
    std::thread first(work), second(work);
    first.join();
    second.join();
    assert(*shared == 2); /* HERE */
}
