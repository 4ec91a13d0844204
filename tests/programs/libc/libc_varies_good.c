/* EXPECT verdict=passed exit=0 complete=true distinct=2 -- -DPROC_LASTING
 * EXPECT verdict=passed exit=0 complete=true distinct=2 -- -DPROCESSORS
 * EXPECT verdict=passed exit=0 complete=true distinct=2 -- -DUSED
 * What stays the same while the machine runs, and processor time, which passes as the clocks do. */
#include "libc_varies_bad.c"
