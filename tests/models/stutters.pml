/* The formula is violated by what ends: for ever in its last state. */
byte x;
active proctype A() { x = 1 }
ltl returns { [] <> (x == 0) }
