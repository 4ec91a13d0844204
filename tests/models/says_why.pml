/* Statements that fail in the middle: what they did is shown, what they did not do is not. */
byte a[3], i, done;
chan c = [1] of { byte };
proctype W() { byte v = 1; skip }
#ifdef INDEX
active proctype P() { i = 3; a[i] = 7 }
#elif defined DSTEP
active proctype P() { d_step { a[0] = 1; c!1; c!2; a[1] = 2 } }
#elif defined GONE
init { pid p; p = run W(); (_nr_pr == 1); (W[p]:v == 1) -> done = 1 }
#else
active proctype P() { i = 2 }
active proctype Q() { a[0] = 1 }
active proctype R() { (_nr_pr == 1) }
#endif
