/* A header beside the model, C that hands a value to the next statement in memory that nobody
 * tracks, c_state with initial values that name others, and variables declared elsewhere. */
c_decl {
\#include "scratch_c.h"
	int event, result;
}
c_code { Pair kept; Pair *keeper = &kept; }
c_state "Pair origin" "Global"
c_state "Pair copy" "Local P" "now.origin"
c_state "int seven" "Local P" "7"
c_state "extern Pair kept" "Hidden"
c_state "extern Pair *keeper" "Hidden"
c_track "&steps" "sizeof(int)"
c_track "&result" "sizeof(int)"
active proctype P()
{	byte v, round;
	c_code { kept.first = PP->copy.second; };
	do
	:: round < 3 ->
		round++;
		select(v : 0 .. 2);
		c_code { event = PP->v; Printf("event %d\n", event); };
		c_code { result = advance(event); };
		assert(c_expr { PP->seven == 7 && keeper->first == 0 });
		assert(c_expr { !result })
	:: else -> break
	od
}
