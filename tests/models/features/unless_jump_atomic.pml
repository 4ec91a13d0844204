/* An escape that begins with a jump looks at the statement there, except in an atomic sequence
 * that the jump would leave: there the jump itself is taken. */
byte x;
active proctype P()
{
	{ skip; again: x = 0; atomic { skip; goto over } } unless { goto again };
over:	x = 4;
	{ x = 5; atomic { x = 6; x = 7 } } unless { goto guarded };
guarded: x == 9
}
active proctype Q()
{
	x = 9
}
