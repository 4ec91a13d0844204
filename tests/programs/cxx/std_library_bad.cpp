/* EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DLINE
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DBUFFER
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DFILE_PATH
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DERROR_TEXT
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DDYNAMIC_TYPE
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DLOCALE_NAME
 * EXPECT verdict=data-race exit=7 bound=0 -- -std=c++17 -DSTREAM_WORD
 * Objects that the C++ library reads and writes for the program, beside another use of them,
 * each under a lock of its own. */
#include "std_library.h"

int main()
{
    two_threads(first_lock, second_lock);
}
