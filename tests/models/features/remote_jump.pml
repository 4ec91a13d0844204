/* Remote references to labels of jumps: Spin puts a step before the jump when it reads the first
 * one, and that step takes a number, which trails tell. */
byte x, y;
active proctype P0()
{
    x = 1;
L:  goto M;
    x = 9;
progress:
K:  goto M;
M:  y = 1;
end: goto L
}
active proctype P1()
{
    x = 2;
    (P0@L) -> x = 3;
    (P0@L || x == 3) -> y = 3;
    (P0@end)
}
active proctype P2()
{
    y = 6;
    (P0@L || x == 3) -> x = 7;
    if
    :: P0@progress || x == 7 -> x = 7
    fi;
    x = 9;
    assert(P0@K)
}
