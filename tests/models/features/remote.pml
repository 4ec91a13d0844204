byte x;
active proctype A() { byte v; L1: v = 3; x = 1; L2: v = 4; x = 2 }
active proctype B() { A@L2 -> assert(A:v == 3); A[0]@L1 || A[0]:v == 4; x = 5 }
