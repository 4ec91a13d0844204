/* EXPECT verdict=passed exit=0 complete=true
 * One thread after the other. */
#define IN_ORDER
#include "libc_modf_bad.c"
