/* EXPECT verdict=passed exit=0 complete=true -- -DREADS
 * EXPECT verdict=passed exit=0 complete=true -- -DWRITES
 * The call comes before the descriptor blocks. */
#define IN_ORDER true
#include "io_nonblock_cleared_bad.c"
