/* A label in front of a goto that a remote reference looks at: the goto is a step of its own. */
byte x;

active proctype A()
{
again:
    do
    :: x < 2 -> x++
    :: x > 0 -> x--; break
    od;
here:
    goto again
}

active proctype B()
{
    if
    :: A[0]@here -> x = 0
    :: A[0]@again -> x = 1
    fi
}
