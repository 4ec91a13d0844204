/* Every kind of statement that Spin's numbering knows, then a failed assertion. */
byte x;
chan q = [1] of { byte };
chan r = [0] of { byte };

proctype A(byte k)
{
    byte y = 1;
    x = 1;
    if
    :: x == 1 -> y = 2; goto L
    :: else -> skip
    fi;
    do
    :: y < 3 -> y++
    :: y == 2 -> break
    :: atomic { x == 5 -> x = 6; if :: x == 6 -> x = 0 :: else fi }
    od;
L:  skip;
    d_step { x = 2; y = x; do :: y > 0 -> y-- :: else -> break od };
    { x = 3 } unless { x == 4 -> x = 5 };
    x = 4 unless x == 5;
    atomic { { x = 7; y = 3 }; x = 8 } unless atomic { x == 9; x = 10 };
    for (y : 1 .. 3) { x = y }
    select (y : 1 .. 2);
    byte w = 3;
    { { q!w } };
    q?y;
    r!y;
    assert(y != 3)
}

proctype B()
{
    byte z;
    do
    :: r?z -> break
    :: timeout -> skip
    od
}

init { atomic { run A(1); run B() } }
