/* EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DLOCALE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DNEW_HANDLER
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DTERMINATE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DRESOURCE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DXALLOC
 * The same, looked at before the other thread begins. */
#include "std_state.h"

int main()
{
    bool first = is_first();
    std::thread thread(change);
    thread.join();
    assert(first);
}
