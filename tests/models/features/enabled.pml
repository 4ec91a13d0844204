/* enabled() in a process. */
byte x;
active proctype A() { do :: x < 3 -> x++ :: enabled(1) -> x = 0 od }
active proctype B() { x > 2; x = 5 }
