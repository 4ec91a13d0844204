/* c_track: memory of C that is part of the state, and memory that is only restored. */
c_decl { int shared = 0; int best = 100; }
c_track "&shared" "sizeof(int)"
c_track "&best" "sizeof(int)" "UnMatched"
active [2] proctype P()
{	byte i;
	do :: i < 3 -> c_code { shared++; best--; }; i++ :: else -> break od;
	c_code [shared <= 6] { shared--; }
	assert(c_expr { shared < 6 })
}
