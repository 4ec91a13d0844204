/* An assertion fails in a loop, and beside it there is a cycle that breaks the formula: --keep-going shows
 * both. With ONLY all cycles without x == 0 go through the assertion, and an execution ends there. */
#ifdef ONLY
#define BACK 0
#else
#define BACK 1
#endif
byte x;

active proctype A()
{
    do
    :: x < 3 -> x++
    :: x == 3 -> x = BACK
    :: x == 2 -> assert(false)
    od
}

ltl f { [] <> (x == 0) }
