/* EXPECT verdict=passed exit=0 complete=true -- -DPROTECT
 * EXPECT verdict=passed exit=0 complete=true -- -DUNMAP
 * EXPECT verdict=passed exit=0 complete=true -- -DDISCARD
 * EXPECT verdict=passed exit=0 complete=true -- -DREPLACE
 * The other thread has ended before. */
#define IN_ORDER
#include "memory_protected_page_bad.c"
