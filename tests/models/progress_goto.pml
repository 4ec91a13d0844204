/* A progress label in front of a goto counts: the only cycle passes it. */
byte x;

active proctype A()
{
again:
    x = 1 - x;
progress:
    goto again
}
