/* Where the claim has come to its end, a trail of Spin's verifier has one line more: what a search
 * before has left in that place of its stack. With -m20 that is a step of P, which can't be taken. */
byte x;
chan c = [1] of { byte };

active proctype P()
{
    c?1
}

active proctype Q()
{
    x = 1;
    c?2
}

never {
T0: if
    :: assert(x < 2) -> goto T0
    :: atomic { (x < 2) -> (x < 2) } -> goto T0
    :: (x == 1) -> goto over
    fi;
over: skip
}
