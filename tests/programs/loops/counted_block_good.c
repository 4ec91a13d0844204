/* EXPECT verdict=passed exit=0 complete=false -- --time 0
 * EXPECT verdict=passed exit=0 complete=false -- --bound 2 --isolate=fork --time 0 -DROUNDS=300
 *
 * The same without the faults. */
#include "counted_block_bad.c"
