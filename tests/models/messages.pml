/* Messages through a buffer and by rendezvous, then a failed assertion: arrows in the reports. */
mtype = { ping, pong };
chan a = [2] of { mtype, byte };
chan b = [0] of { mtype };
byte n;
active proctype producer() { byte i; for (i : 1 .. 3) { a!ping(i); b?pong } assert(n == 2) }
active proctype consumer() { byte k; do :: a?ping(k) -> n = n + 1; b!pong od }
