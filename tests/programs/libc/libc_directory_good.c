/* EXPECT verdict=passed exit=0 complete=true -- -DGETCWD
 * EXPECT verdict=passed exit=0 complete=true -- -DREALPATH
 * EXPECT verdict=passed exit=0 complete=true -- -DOPEN
 * EXPECT verdict=passed exit=0 complete=true -- -DSTAT
 * EXPECT verdict=passed exit=0 complete=true -- -DACCESS
 * The same when the other thread has ended. */
#define IN_ORDER
#include "libc_directory_bad.c"
