/* EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DWIDTH
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DPRECISION
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DNUMBER
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DPOSITION
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DTIME
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DTO_CHARS
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DFROM_CHARS
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DFROM_CHARS_VALUE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DUPPER
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DCONVERT
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DCOMPARE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DHASH
 * What facets, conversions and hashes of the C++ library do to memory of the program, beside
 * another use of it, under one lock. */
#include "std_facets.h"

int main()
{
    two_threads(first_lock, first_lock);
}
