/* EXPECT verdict=nothing-found exit=0 complete=false -- --strategy auto --execs 20000
 *
 * The same, where that many may be lost: nobody can be left with less. */
#define LEAST 2
#include "scout_bad.c"
