/* EXPECT verdict=memory-error exit=11 bound=0 -- -DRANDOM
 * EXPECT verdict=memory-error exit=11 bound=0 -- -DBUFFER
 * EXPECT verdict=data-race exit=7 bound=0 -- -DWARNING
 * EXPECT verdict=data-race exit=7 bound=0 -- -DERROR
 * EXPECT verdict=data-race exit=7 bound=0 -- -DSOURCE
 * EXPECT verdict=data-race exit=7 bound=0 -- -DPRINTED
 * EXPECT verdict=data-race exit=7 bound=0 -- -DBLOCK
 * EXPECT verdict=data-race exit=7 bound=0 -- -DTHREAD
 * EXPECT verdict=data-race exit=7 bound=0 -- -DSET
 * EXPECT verdict=data-race exit=7 bound=0 -- -DTEXT
 * libc uses memory of the program: in a call that does not name it, for a message, for a result. */
#include "libc_given.h"

static void take(pthread_t thread)
{
    TAKE();
    pthread_join(thread, NULL);
    PUT_BACK();
}
