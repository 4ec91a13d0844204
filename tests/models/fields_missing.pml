/* A send with fewer fields than a message has: a failure where it happens, the rest is 0. */
chan c = [1] of { byte, byte };
chan d = [0] of { byte, byte };
byte a, b;

active proctype P()
{
    chan e = c;
    c!1;
    c?a, b;
    assert(b == 0);
    e!!2;
    c?a, b;
    assert(b == 0);
    d!3;
    e = d;
    e!4
}

active proctype Q()
{
    byte x, y;
    d?x, y;
    assert(y == 0);
    d?x, y;
    assert(y == 0)
}
