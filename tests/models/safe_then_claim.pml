/* Paper 001, section 3.3, as a formula: P, P, preempted by Q. Reduction takes Q's x = 1 first; who forgets that it was safe counts more
 * than the one preemption that is needed. */
byte a, b;
active proctype P() { a = 1; a = 2; a = 3; a = 4 }
active proctype Q() { byte x; x = 1; b = a }
ltl never_two { [] (b != 2) }
