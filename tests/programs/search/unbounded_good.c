/* EXPECT verdict=passed exit=0 complete=true executions=416 distinct=416 -- --strategy auto
 * The same with fewer workers, where nothing fails: the search without a bound runs each trace
 * once, and that is all that is counted. */
#define WORKERS 2
#define MOST    11
#include "unbounded_bad.c"
