/* P's send can be received at once, but if it comes late T is interrupted inside of its atomic sequence,
 * and U sees that. KNOWN: T has looked, and never waits. RECEIVE: it waits for room. STEP: inside a d_step waiting is
 * a failure. PASSED: the channel is a parameter. */
chan c = [1] of { byte };
chan d[2] = [1] of { byte };
byte g;
#ifdef PASSED
#define CHANNEL q
proctype P(chan q) { q!1 }
proctype T(chan q)
#elif defined(RECEIVE)
#define CHANNEL c
active proctype P() { c?_ }
active proctype T()
#else
#define CHANNEL c
active proctype P() { c!1 }
active proctype T()
#endif
{
    byte x;
#ifdef KNOWN
    atomic { nempty(c) -> g = 1; c?x; g = 0 }
#elif defined(RECEIVE)
    c!1;
    atomic { g = 1; c!2; g = 0 }
#elif defined(STEP)
    d_step { g = 1; c?x; g = 0 }
#else
    atomic { g = 1; CHANNEL?x; g = 0 }
#endif
}
active proctype U() { assert(g == 0) }
#ifdef PASSED
init { atomic { run P(d[1]); run T(d[1]) } }
#endif
