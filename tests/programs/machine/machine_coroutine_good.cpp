/* EXPECT verdict=passed exit=0 complete=true -- -std=c++20
 * EXPECT verdict=passed exit=0 complete=true -- -std=c++20 -O2
 * The same after the thread has ended. */
#define IN_ORDER
#include "machine_coroutine_bad.cpp"
