/* EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DWIDTH
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DPRECISION
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DNUMBER
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DPOSITION
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DTIME
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DTO_CHARS
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DFROM_CHARS
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DFROM_CHARS_VALUE
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DUPPER
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DCONVERT
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DCOMPARE
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DHASH
 * What facets, conversions and hashes of the C++ library do to memory of the program, beside
 * another use of it, each under a lock of its own. */
#include "std_facets.h"

int main()
{
    two_threads(first_lock, second_lock);
}
