/* What looks wrong and Spin takes: /* a comment inside a comment */ */
typedef Pair {
    byte first = 3;
    byte second
}

Pair pairs[2] = 7; /* no effect: the typedef says what members begin with */
byte x, few[2];
bool done;
int none, minus = -2, two = 2;
byte eight[none], other[minus], pair[two];

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

active proctype R() /* Spin calls two things here errors, and goes on */
{
    byte n;
    do
    :: n < 2 ->
        n++;
        byte values[2] = {4, 5}; /* all when it starts; here the first one again */
        values[0] = values[0] + n;
        values[1]++
    :: else -> break
    od;
    few = n; /* few[0] */
    assert(values[0] == 6 && values[1] == 7 && few[0] == 2)
}

active proctype S(byte number) /* a bound without a number: 8 elements */
{
    byte inner[number];
    eight[7] = 1;
    other[7] = 1;
    pair[1] = 1;
    inner[7] = 1;
    assert(eight[7] + other[7] + pair[1] + inner[7] == 4)
}

ltl small {
    [] (x < 9);
}
