/* The formula fails within a few states; safety has 16 million. */
byte a, b, c;
ltl fine { [] (a >= 0) }
ltl soon { [] (c < 3) }
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
