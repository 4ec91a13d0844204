/* A local that only another process and a formula look at. */
byte x, seen;
active proctype P() { byte own; own = 2; x = 1; do :: own++ od }
active proctype Q() { x == 1 -> seen = P[0]:own; assert(seen < 4) }
