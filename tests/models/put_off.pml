/* One process goes round on its own for ever, and its steps may stand for all: where they close a
 * cycle the other one must have its turn, or it would be put off for ever. */
byte g;

active proctype writer()
{
    g = 1
}

active proctype alone()
{
    byte x;
    do
    :: x = 1 - x
    od
}

ltl stays { [] (g == 0) }
ltl small { [] (g < 2) }
ltl settles { <> [] (g == 0) }
