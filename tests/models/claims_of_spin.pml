/* Formulas of every shape, all of them wrong: Spin's claims for them end in a failing assertion of
 * their own (always, until, release, before), or go round (the others). */
byte x, y;
bool p, q;
active proctype A() { do :: x < 3 -> x++ :: x > 0 -> x--; p = !p od }
active proctype B() { do :: atomic { y = x; q = 1 } :: q = 0 od unless { x == 3 -> y = 7 } }
active proctype C() { (y == 7) -> y = 0 }
ltl always { [] (x < 3) }
ltl until { p U q }
ltl release { q V (y != 7) }
ltl before { (x < 2) W (y == 1) }
ltl recurs { [] <> p }
ltl settles { <> [] p }
ltl answers { [] (p -> <> (q && !p)) }
ltl both { ([] <> p) && ([] <> (y == 7)) }
ltl either { (<> [] p) || (<> [] (x == 3)) }
ltl returns { [] ((x == 3) -> <> (x == 0)) }
