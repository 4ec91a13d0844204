/* EXPECT verdict=nothing-found exit=0 complete=false -- --strategy auto --time 0
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy auto --bound 2 --isolate=fork --time 0 -DROUNDS=300
 *
 * The same without the faults. */
#include "counted_block_bad.c"
