/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * EXPECT verdict=passed exit=0 complete=true -- -O2 -DCOMPARE
 * Its owner looks at it after the join. */
#define GOOD
#include "published_local_bad.c"
