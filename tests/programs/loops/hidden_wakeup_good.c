/* EXPECT verdict=nothing-found exit=0
 * A loop waits for a flag, and gives up when a function without instrumentation, as of a library
 * that was not rebuilt, says that the library is closed. The flag never changes: the loop ends
 * because of what the library's other function has written, unseen. This is no livelock. */
#define CLOSES
#include "hidden_wakeup_bad.c"
