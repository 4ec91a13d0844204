/* An else looks at the options before it, also where its choice is an option of another; in an
 * escape it is looked at first. */
byte x, y;
active proctype P()
{
	do
	:: if :: x == 1 -> y = 1 :: else -> y = 2 fi
	:: x == 0 -> y = 3
	od
}
active proctype Q()
{
	byte z;
	do
	:: { z = 1; z = 2; z = 0 } unless { if :: x == 1 -> z = 3 :: else -> z = 4 fi }
	od
}
active proctype R() { do :: x = 1 - x od }
