/* Both must change for ever: a run that does is preempted again and again. docs/promela.md, "What a bound means for a run
 * that goes on". */
bool a, b;
active proctype A() { do :: a = 1; a = 0 od }
active proctype B() { do :: b = 1; b = 0 od }
ltl rest { !([]<> a && []<> !a && []<> b && []<> !b) }
