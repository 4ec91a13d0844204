/* U asks whether there is a message; when T has taken it, U never finds one. */
chan q[2] = [1] of { byte };
proctype T(chan c) { byte x; c?x }
proctype U(chan c) { end: nempty(c) -> assert(false) }
init { atomic { q[1]!1; run T(q[1]); run U(q[1]) } }
