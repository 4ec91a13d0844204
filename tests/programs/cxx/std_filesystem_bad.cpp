/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++17 -DPATH
 * EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++17 -DITERATOR
 * EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++17 -DLOCALE
 * EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -std=c++17 -DHANDLE
 * Objects of classes whose functions are inside the C++ library: used by two threads, each
 * under a lock of its own. */
#include "std_filesystem.h"

int main()
{
    two_threads(first_lock, second_lock);
}
