/* A variable of the never claim: it counts steps, modulo 256, as Spin does. */
byte x;
never { byte n = 0; do :: x == 1 -> n = n + 1; :: n > 1 -> break :: else od }
active proctype A() { do :: x = 1 - x od }
