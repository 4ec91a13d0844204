/* More processes than a search by bounds reckons with at first. */
byte x;
active [20] proctype p()
{
    x == _pid;
    x++;
    assert(x < LAST)
}
