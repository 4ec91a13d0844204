/* unless as the first statement of an option guards the whole choice. */
byte a,b;
active proctype A() { do :: { a < 3 -> a++ } unless { b == 2 -> break } :: a > 0 -> a-- od; a = 9 }
active proctype B() { b = 1; b = 2; b = 0; b = 2 }
