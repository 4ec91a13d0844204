/* EXPECT verdict=passed exit=0 complete=true -- -DSTREAM
 * EXPECT verdict=passed exit=0 complete=true -- -DNUMBER
 * EXPECT verdict=passed exit=0 complete=true -- -DDIRECTORY
 * EXPECT verdict=passed exit=0 complete=true -- -DLOCALE
 * It is closed after the thread has ended. */
#define IN_ORDER true
#include "libc_closed_bad.c"
