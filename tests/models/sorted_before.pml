/* A sorted send puts its message before others: a receive is not independent of it. */
chan c = [3] of { byte };

active proctype P()
{
    byte x;
    c?x;
    assert(x == 5)
}

active proctype Q()
{
    c!!5;
    c!!1
}
