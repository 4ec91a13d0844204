/* The same, but B waits for what it asserts. */
byte x, y, z;
active proctype A() { x = 1; (y > 0); z = 1 }
active proctype B() { y = 1; (x > 0); (z == 1); assert(z == 1) }
