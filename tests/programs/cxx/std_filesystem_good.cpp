/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -std=c++17 -DPATH
 * EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -std=c++17 -DITERATOR
 * EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2 -- -std=c++17 -DLOCALE
 * EXPECT verdict=passed exit=0 complete=true executions=4050 distinct=2 -- -std=c++17 -DHANDLE
 * The same under one lock. */
#include "std_filesystem.h"

int main()
{
    two_threads(first_lock, first_lock);
}
