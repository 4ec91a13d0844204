/* The assertion behind a send that nobody takes is never reached, whatever is run together. */
chan q = [0] of { byte };
byte x = 1;

active proctype sender()
{
    byte y;
end:
    q!1;
    assert(y == 1);
    x = 2
}

active proctype receiver()
{
#ifdef TAKEN
    byte z;
    q?z
#else
    x == 1
#endif
}
