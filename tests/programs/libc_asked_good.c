/* EXPECT verdict=passed exit=0 complete=true -- -DSTATUS_FLAGS
 * EXPECT verdict=passed exit=0 complete=true -- -DSTATUS_IOCTL
 * EXPECT verdict=passed exit=0 complete=true -- -DCLOSE_ON_EXEC
 * EXPECT verdict=passed exit=0 complete=true -- -DPIPE_SIZE
 * EXPECT verdict=passed exit=0 complete=true -- -DSOCKET_OPTION
 * EXPECT verdict=passed exit=0 complete=true -- -DFILE_SIZE
 * EXPECT verdict=passed exit=0 complete=true -- -DDISPOSITION
 * EXPECT verdict=passed exit=0 complete=true -- -DPENDING
 * EXPECT verdict=passed exit=0 complete=true -- -DDUMPABLE
 * EXPECT verdict=passed exit=0 complete=true -- -DNAME
 * EXPECT verdict=passed exit=0 complete=true -- -DINTERVAL
 * EXPECT verdict=passed exit=0 complete=true -- -DTIMER
 * EXPECT verdict=passed exit=0 complete=true -- -DSEMAPHORE
 * The same, one thread after the other. */
#define IN_ORDER true
#include "libc_asked_bad.c"
