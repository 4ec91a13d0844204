/* EXPECT verdict=passed exit=0 complete=false
 * A loop without any operation waits for what a function without instrumentation returns. It is
 * stopped so that the other thread can run; what that thread writes is not seen, but the loop
 * must get another chance before it is called a hang. */
#define CLOSES
#include "hidden_busy_bad.c"
