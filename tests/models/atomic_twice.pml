/* T has seen one message and takes two: it may be interrupted before the second, and U sees that. */
chan q[2] = [2] of { byte };
byte g;
proctype P(chan c) { c!1; c!2 }
proctype T(chan c) { byte x; atomic { nempty(c) -> g = 1; c?x; c?x; g = 0 } }
proctype U() { assert(g == 0) }
init { atomic { run P(q[1]); run T(q[1]); run U() } }
