/* Call processing, in the place of tpc of paper 001's Table 1 ("a simple call processing system"), which is not public.
 * Subscribers lift the receiver, dial each other, talk and hang up; an exchange has a handler per line, and handlers send
 * each other requests. The mistake: a handler whose own request is on its way refuses none that comes in, so two
 * that call each other at the same time both ring, and both wait for the other one to answer. */
#ifndef LINES
#define LINES 2
#endif
#ifndef CALLS
#define CALLS 2 /* of each subscriber */
#endif
mtype = { offhook, onhook, dial, dialtone, ringing, connected, busy, request, accept, refuse, release };
chan line[LINES] = [1] of { mtype };        /* from the subscriber to its handler */
chan tone[LINES] = [1] of { mtype };        /* and back */
chan trunk[LINES] = [LINES] of { mtype, byte }; /* to a handler, from another one */
byte talking;

proctype subscriber(byte me)
{
    byte calls;
    do
    :: calls < CALLS ->
        calls++;
        line[me] ! offhook;
        if
        :: tone[me] ? dialtone ->
            line[me] ! dial;
            if
            :: tone[me] ? busy
            :: tone[me] ? connected -> talking++; talking--
            fi
        :: tone[me] ? ringing -> tone[me] ? connected
        fi;
        line[me] ! onhook
    :: tone[me] ? ringing -> line[me] ! offhook; tone[me] ? connected; line[me] ! onhook
    :: calls == CALLS && empty(tone[me]) -> end: tone[me] ? ringing;
        line[me] ! offhook; tone[me] ? connected; line[me] ! onhook
    od
}

proctype handler(byte me)
{
    byte peer = (me + 1) % LINES, from;
idle:
    if
    :: line[me] ? offhook -> tone[me] ! dialtone; line[me] ? dial; trunk[peer] ! request(me); goto waiting
    :: trunk[me] ? request(from) -> tone[me] ! ringing; line[me] ? offhook;
        trunk[from] ! accept(me); tone[me] ! connected; goto answered
    fi;
waiting:
    if
    :: trunk[me] ? accept(from) -> tone[me] ! connected; line[me] ? onhook; trunk[peer] ! release(me); goto idle
    :: trunk[me] ? refuse(from) -> tone[me] ! busy; line[me] ? onhook; goto idle
    :: trunk[me] ? request(from) -> goto waiting /* forgotten: it should be refused */
    fi;
answered:
    if
    :: line[me] ? onhook -> trunk[me] ? release(from)
    :: trunk[me] ? release(from) -> line[me] ? onhook
    fi;
    goto idle
}

init {
    byte i;
    atomic {
        do
        :: i < LINES -> run subscriber(i); run handler(i); i++
        :: else -> break
        od
    }
}
