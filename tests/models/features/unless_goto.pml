/* An escape that begins with a jump is taken when the statement there can be: until g is 1 the
 * main sequence goes on, and the assertion behind it is reached. FIRST: g is 1 from the start. */
#ifdef FIRST
byte g = 1, x;
#else
byte g, x;
#endif
active proctype P()
{
    { x = 1; x = 0 } unless { goto gone };
    assert(false);
gone:
    (g == 1) -> x = 3
}
active proctype Q() { g = 1 }
