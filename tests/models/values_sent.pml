/* What messages hold: by rendezvous the values are in no state, and are said where the text does not.
 * Names of mtypes are those of their own set, channels have names. */
mtype = { red, green };
mtype:fruit = { apple, pear };
typedef R { byte a; mtype:fruit f };
chan c = [0] of { byte, mtype, mtype:fruit };
chan d[2] = [0] of { R };
chan e = [2] of { mtype:fruit };
chan k = [0] of { chan };
byte n = 3;
mtype m = green;
active proctype S() { R r; r.a = 9; r.f = pear; c!n+1,m,pear; c!5,red,apple; d[1]!r; e!pear; k!e; c!n(m,apple) }
active proctype T() { byte x; mtype y; mtype:fruit z; R q; chan w; c?x,y,z; c?5,y,_; d[1]?q; k?w; w?z; atomic{c?eval(n),y,z; printf("got %d %e\n", x, z)}; assert(x == 0) }
