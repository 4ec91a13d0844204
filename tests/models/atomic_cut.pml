/* An atomic sequence that is cut for its length: its process is not blocked, so Q preempts it. */
int x;
byte y;

active proctype P()
{
    y = 1;
    atomic {
        do
        :: x < 700000 -> x++
        :: else -> break
        od;
        x = 0
    };
    y = 2
}

active proctype Q()
{
    y == 1;
    assert(false)
}
