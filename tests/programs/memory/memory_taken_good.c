/* EXPECT verdict=passed exit=0 complete=true -- -DPROTECT=PROT_READ
 * EXPECT verdict=passed exit=0 complete=true
 * Once the memory was taken it is only read, after the join. */
#define GOOD
#include "memory_taken_bad.c"
