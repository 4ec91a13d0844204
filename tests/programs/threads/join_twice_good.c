/* EXPECT verdict=passed exit=0 complete=true -- -DKILL
 * EXPECT verdict=passed exit=0 -- -DCANCEL
 * The ID is used before it is joined, also where the thread has ended by then. */
#define IN_ORDER
#include "join_twice_bad.c"
