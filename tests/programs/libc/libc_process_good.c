/* EXPECT verdict=passed exit=0 complete=true -- -DATEXIT
 * EXPECT verdict=passed exit=0 complete=true -- -DDIRECTORY
 * EXPECT verdict=passed exit=0 complete=true -- -DMASK
 * EXPECT verdict=passed exit=0 complete=true -- -DLOCALE
 * EXPECT verdict=passed exit=0 complete=true -- -DHANDLER
 * EXPECT verdict=passed exit=0 complete=true -- -DENVIRONMENT
 * EXPECT verdict=passed exit=0 complete=true -- -DBREAK
 * EXPECT verdict=passed exit=0 complete=true -- -DHASH
 * EXPECT verdict=passed exit=0 complete=true -- -DSTREAM
 * EXPECT verdict=passed exit=0 complete=true -- -DPUSHED_BACK
 * EXPECT verdict=passed exit=0 complete=true -- -DMEMORY_FILE
 * EXPECT verdict=passed exit=0 complete=true -- -DWAITING
 * EXPECT verdict=passed exit=0 complete=true -- -DWIDE
 * The same, one thread after the other. */
#define IN_ORDER true
#include "libc_process_bad.c"
