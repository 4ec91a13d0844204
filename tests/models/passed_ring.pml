/* A ring whose members get their channels as parameters, out of an array: each channel has one
 * sender and one receiver, so that the steps of all of them need not be interleaved. */
#define N 6

chan q[N] = [4] of { byte };

proctype member(chan in, out; byte number)
{
    byte seen, largest = number, turns;
    out!number;
    do
    :: turns < N ->
        in?seen;
        turns++;
        if
        :: seen > largest -> largest = seen
        :: else -> skip
        fi;
        if
        :: turns < N -> out!seen
        :: else -> skip
        fi
    :: else -> break
    od;
    assert(largest == N - 1)
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run member(q[i], q[(i + 1) % N], i); i++
        :: else -> break
        od
    }
}
