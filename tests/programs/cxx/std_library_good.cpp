/* EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DLINE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DBUFFER
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DFILE_PATH
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DERROR_TEXT
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DDYNAMIC_TYPE
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DLOCALE_NAME
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++17 -DSTREAM_WORD
 * Objects that the C++ library reads and writes for the program, beside another use of them,
 * under one lock. */
#include "std_library.h"

int main()
{
    two_threads(first_lock, first_lock);
}
