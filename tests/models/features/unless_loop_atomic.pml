/* An escape that is a loop looks at its options, except in an atomic sequence: from there the step
 * into the loop is taken, whatever it may do then. */
byte x;
active proctype P()
{
	{ if :: atomic { skip; x = 2 } :: x == 9 -> atomic { x = 4; x = 5; x = 6 } fi }
	unless { do :: x == 9 -> x = 1 :: x == 1 -> break od };
	atomic {
		{ x = 3; x = 4; x = 5 } unless { do :: x == 9 -> x = 1 :: x == 1 -> break od };
		x = 7
	}
}
active proctype Q()
{
	x = 9; x = 9
}
