/* The claim looks at one state in both statements of its atomic sequence, as claims that Spin
 * makes of formulas do: g is 2 in the assertion, too. LOW: g never is. */
#ifdef LOW
#define TURNS 2
#else
#define TURNS 3
#endif
byte g;
active proctype A() { do :: g = (g + 1) % TURNS od }
never {
again:
    do
    :: atomic { (g == 2) -> assert(!(g == 2)) }
    :: (1) -> goto again
    od
}
