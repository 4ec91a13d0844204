/* Leader election in a ring (Chang and Roberts): the largest number goes round, smaller ones are
 * dropped by whoever has a larger one; exactly one leader comes out. */
#ifndef N
#define N 10
#endif
chan ring[N] = [2] of { byte };
byte leaders;

proctype node(byte me; byte number)
{
    byte seen;
    ring[(me + 1) % N] ! number;
    do
    :: ring[me] ? seen;
       if
       :: seen > number -> ring[(me + 1) % N] ! seen
       :: seen < number -> skip
       :: seen == number -> leaders++; assert(leaders == 1)
       fi
    :: timeout -> break
    od
}

init {
    byte me;
    atomic {
        do
        :: me < N -> run node(me, (3 * me + 1) % N); me++
        :: else -> break
        od
    }
}
