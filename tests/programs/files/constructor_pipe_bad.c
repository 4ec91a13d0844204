/* EXPECT verdict=deadlock exit=2
 * EXPECT verdict=deadlock exit=2 -- --strategy dpor
 * Waits for a third message that nobody sends. */
#define BAD
#include "constructor_pipe_good.c"
