byte x, y;
active proctype P() { do :: atomic { x < 4 -> x++; if :: x == 2 -> break :: x == 3 -> goto far :: else fi; y = x } :: atomic { x > 5 -> break } :: x = 9 od; y = 100;
far: atomic { y = 1; do :: y < 3 -> y++ :: else -> break od }; { x = 0; y = 0 } }
active proctype Q() { atomic { x == 2 -> x = 3; (y == 100); x = 1 } ; timeout -> x = 7 }
