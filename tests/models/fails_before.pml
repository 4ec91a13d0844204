/* The only way to the deadlock leads through a failing assertion, behind which the search goes on:
 * that is the failure. */
byte g, x;
active proctype P()
{
    { x = 1; x = 0 } unless { goto gone };
    assert(false);
gone:
    (g == 0) -> x = 3
}
active proctype Q() { g = 1 }
