/* Conditional expressions whose branches are 0, 1 or comparisons, inside each other: a quick
 * compiler that joins them wrongly gives g another value. BROKEN: the assertion fails. */
#ifndef BROKEN
#define BROKEN 0
#endif
byte g;
active proctype P()
{
    byte x, f;
    do
    :: x < 3 ->
        g = ((x -> 0 : 0) -> -(f) : (x >= 0));
        assert(g == 1 - BROKEN);
        g = ((x > 1 -> 1 : (f == 0)) -> 1 : 0);
        assert(g == 1);
        x++
    :: else -> break
    od
}
