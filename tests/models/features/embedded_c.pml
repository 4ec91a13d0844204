/* c_decl, c_state, c_code inside and outside of a process, c_expr. */
c_decl { typedef struct Coord { int x, y; } Coord; }
c_state "Coord pt" "Global"
int z = 3;
c_code { int add(int a) { return a + now.z; } }
active proctype example()
{	int n = 2;
	c_code { now.pt.x = now.pt.y = 0; };
	do
	:: c_expr { now.pt.x == now.pt.y } -> c_code { now.pt.y++; }
	:: else -> break
	od;
	c_code { Pexample->n = add(4); };
	assert(n == 7);

	assert(false)
}
