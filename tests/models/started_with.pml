/* A start whose argument another process changes is not taken at once. */
byte g;

proctype B(byte n) { assert(n == 0) }

active proctype A() { g = 1 }

init { run B(g) }
