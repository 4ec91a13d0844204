/* What looks wrong and Spin takes: /* a comment inside a comment */ */
typedef Pair {
    byte first = 3;
    byte second
}

Pair pairs[2] = 7; /* no effect: the typedef says what members begin with */
byte x;
bool done;

active proctype P()
{
    do
    :: x < 3 -> x++; _ = x
    :: else if
            :: done -> break
            :: else done = true
            fi
    od;
    assert(pairs[0].first == 3 && pairs[1].second == 0)
}

active proctype Q()
{
    if
    :: x > 1 -> x--
    :: else skip
    fi
}
