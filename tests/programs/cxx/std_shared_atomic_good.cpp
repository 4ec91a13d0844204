/* EXPECT verdict=passed exit=0 complete=true distinct=6
 * EXPECT verdict=passed exit=0 complete=true distinct=6 -- --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=6 -- --strategy bpor
 * EXPECT verdict=passed exit=0 complete=true distinct=36 -- -DEXCHANGE
 * EXPECT verdict=passed exit=0 complete=true distinct=36 -- -DEXCHANGE --strategy optimal
 * The first atomic operation on a shared_ptr initialises locks inside the C++ library, which tests unseen whether that
 * was done. Who does it makes no difference. (Before, every strategy had another number of traces, and some of them
 * called it complete.) */
#include <atomic>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(0);

static void work()
{
    auto old = std::atomic_load(&shared);
#ifdef EXCHANGE
    auto next = std::make_shared<int>(*old + 1);
    std::atomic_compare_exchange_strong(&shared, &old, next);
#endif
}

int main()
{
    std::thread first(work), second(work);
    first.join();
    second.join();
    return *shared > 2;
}
