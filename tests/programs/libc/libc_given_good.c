/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DRANDOM
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DBUFFER
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DWARNING
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DERROR
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DSOURCE
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DPRINTED
 * EXPECT verdict=passed exit=0 complete=true -- -DBLOCK
 * EXPECT verdict=passed exit=0 complete=true -- -DTHREAD
 * EXPECT verdict=passed exit=0 complete=true -- -DSET
 * EXPECT verdict=passed exit=0 complete=true -- -DTEXT
 * The program of libc_given_bad, where the memory is taken back after the call. */
#include "libc_given.h"

static void take(pthread_t thread)
{
    pthread_join(thread, NULL);
    PUT_BACK();
    TAKE();
}
