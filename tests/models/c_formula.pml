/* Two pieces of C that begin alike are two propositions of a formula. */
byte x;
ltl differ { [] (c_expr { now.x + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 < 3 } ->
	c_expr { now.x + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 < 2 }) }
init { x = 1; x = 2 }
