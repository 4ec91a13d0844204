/* The next operator counts steps: those that only the process itself can see, too. */
byte n;
active proctype P() { byte own; n = 1; own = 1; own = 2; n = 2 }
ltl next { [] (n == 1 -> X (n == 2)) }
