/* EXPECT verdict=passed exit=0 complete=true -- --visible acquire --visible release
 * The same with the release. */
#include "asm_spinlock_good.c"
