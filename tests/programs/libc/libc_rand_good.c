/* EXPECT verdict=passed exit=0 complete=true -- -DRAND
 * EXPECT verdict=passed exit=0 complete=true -- -DRANDOM
 * EXPECT verdict=passed exit=0 complete=true -- -DDRAND48
 * One thread after the other. */
#define IN_ORDER
#include "libc_rand_bad.c"
