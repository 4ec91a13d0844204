/* An inline whose value is assigned. */
inline f(a) { if :: a > 1 -> return a+1 :: else -> return 0 fi }
byte x; byte y[2];
active proctype A() { x = f(3); y[1] = f(0); assert(x==4) }
