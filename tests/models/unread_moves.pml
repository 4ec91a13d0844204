/* What P counts nothing reads, but P moves: whoever takes its place preempts it. */
byte count, x;
active proctype P() { x = 1; do :: count++ od }
active proctype Q() { x == 1 -> assert(false) }
