/* EXPECT verdict=nothing-found exit=0 complete=false -- --bound 2 --strategy auto
 * EXPECT verdict=nothing-found exit=0 complete=false -- --bound 2 --strategy bpor
 *
 * The same with the changes in another order: 4 is over when 2 comes. */
#define SECOND 4
#define THIRD  2
#include "counted_twice_bad.c"
