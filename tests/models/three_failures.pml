byte x;
active proctype A() { do :: assert(x < 3); x++ od }
active proctype B() { do :: x == 2 -> assert(false) :: x == 1 -> assert (x==0) od }
