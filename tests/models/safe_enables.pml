/* A failure that one preemption reaches: P's receive comes after Q has blocked on the full channel, so that Q is left for free.
 * Reduction takes the receive early (nobody else receives), and Q does not block. S keeps Q's sends from being safe. */
chan c = [1] of { byte };
byte x, y, a, rx;
active proctype Q() { c!1; x = 1; end: c!2; y = 1; a = 1; a = 0 }
active proctype P() { byte z; end: c?z; end1: (rx == 1); end2: c?z }
active proctype R() { end: (x == 1 && y == 0); rx = 1; end1: (a == 1); assert(false) }
active proctype S() { end: (a == 9); c!3 }
