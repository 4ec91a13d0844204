/* The failure needs no preemption: A blocks, B runs on. Spin's bounded search misses it. */
byte x, y, z;
active proctype A() { x = 1; (y > 0); z = 1 }
active proctype B() { y = 1; (x > 0); assert(z == 1) }
