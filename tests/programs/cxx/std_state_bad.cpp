/* EXPECT verdict=assertion exit=1 bound=1 -- -std=c++17 -DLOCALE
 * EXPECT verdict=assertion exit=1 bound=1 -- -std=c++17 -DNEW_HANDLER
 * EXPECT verdict=assertion exit=1 bound=1 -- -std=c++17 -DTERMINATE
 * EXPECT verdict=assertion exit=1 bound=1 -- -std=c++17 -DRESOURCE
 * EXPECT verdict=assertion exit=1 bound=1 -- -std=c++17 -DXALLOC
 * A thread looks at state of the C++ library that another one changes: it may be the second. */
#include "std_state.h"

int main()
{
    std::thread thread(change);
    bool first = is_first();
    thread.join();
    assert(first);
}
