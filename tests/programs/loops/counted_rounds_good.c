/* EXPECT verdict=nothing-found exit=0 complete=false -- --bound 2 --strategy auto
 * EXPECT verdict=nothing-found exit=0 complete=false -- --bound 2 --strategy bpor
 *
 * The same without the failure. That not every number of rounds was tried is said. */
#define MAY_SEE_ALL 1
#include "counted_rounds_bad.c"
