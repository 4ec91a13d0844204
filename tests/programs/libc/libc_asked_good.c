/* EXPECT verdict=passed exit=0 complete=true -- -DSTATUS_FLAGS
 * EXPECT verdict=passed exit=0 complete=true -- -DSTATUS_IOCTL
 * EXPECT verdict=passed exit=0 complete=true -- -DCLOSE_ON_EXEC
 * EXPECT verdict=passed exit=0 complete=true -- -DPIPE_SIZE
 * EXPECT verdict=passed exit=0 complete=true -- -DSOCKET_OPTION
 * EXPECT verdict=passed exit=0 complete=true -- -DFILE_SIZE
 * EXPECT verdict=passed exit=0 complete=true -- -DTERMINAL
 * EXPECT verdict=passed exit=0 complete=true -- -DTERMINAL_ATTRIBUTES
 * EXPECT verdict=passed exit=0 complete=true -- -DFILE_SYSTEM
 * EXPECT verdict=passed exit=0 complete=true -- -DDISPOSITION
 * EXPECT verdict=passed exit=0 complete=true -- -DRESET_HANDLER
 * EXPECT verdict=passed exit=0 complete=true -- -DPENDING
 * EXPECT verdict=passed exit=0 complete=true -- -DDUMPABLE
 * EXPECT verdict=passed exit=0 complete=true -- -DNAME
 * EXPECT verdict=passed exit=0 complete=true -- -DINTERVAL
 * EXPECT verdict=passed exit=0 complete=true -- -DTIMER
 * EXPECT verdict=passed exit=0 complete=true -- -DSEMAPHORE
 * EXPECT verdict=passed exit=0 complete=true -- -DCHARACTER_SIZE
 * EXPECT verdict=passed exit=0 complete=true -- -DCHARACTER_CLASS
 * EXPECT verdict=passed exit=0 complete=true -- -DCONVERSION
 * EXPECT verdict=passed exit=0 complete=true -- -DCHARACTER_WIDTH
 * EXPECT verdict=passed exit=0 complete=true -- -DPRINTED_CHARACTER
 * EXPECT verdict=passed exit=0 complete=true -- -DSIGN -lm
 * EXPECT verdict=passed exit=0 complete=true -- -DOUTPUT
 * EXPECT verdict=passed exit=0 complete=true -- -DOUTPUT_CHARACTER
 * EXPECT verdict=passed exit=0 complete=true -- -DREDIRECTED
 * EXPECT verdict=passed exit=0 complete=true -- -DDIRECTION
 * The same, one thread after the other. */
#define IN_ORDER true
#include "libc_asked_bad.c"
