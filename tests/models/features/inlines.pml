byte x, y;
inline add(a, b) { int t = b; a = a + t; if :: a > 4 -> a = 0 :: else fi }
inline twice(v) { add(v, 1); add(v, 2); lab: skip }
active [2] proctype P() { byte z; twice(x); add(z, x); y = z }
