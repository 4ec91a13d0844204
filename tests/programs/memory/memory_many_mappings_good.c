/* EXPECT verdict=passed exit=0 complete=true
 * All of them begin with zero, in every execution. */
#define FIRST 0
#include "memory_many_mappings_bad.c"
