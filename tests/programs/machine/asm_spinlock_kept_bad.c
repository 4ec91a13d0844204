/* EXPECT verdict=livelock exit=3 -- --visible acquire
 * EXPECT verdict=hang exit=4 says=--visible -- --strategy icb --hang 1s
 * Nobody releases the lock. Where its instructions are not seen, the thread that waits for it hangs, and the
 * report says what to make visible. */
#define KEEPS_IT
#include "asm_spinlock_good.c"
