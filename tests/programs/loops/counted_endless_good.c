/* EXPECT verdict=nothing-found exit=0 complete=false
 *
 * The same without the failure. */
#define FAILS 0
#include "counted_endless_bad.c"
