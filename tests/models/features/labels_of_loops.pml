/* A label before `for` or `select` names the loop behind the first assignment, so that a goto there
 * does not begin anew; one before a jump with an accept, end or progress label of its own names
 * the jump. */
byte i, x;
active proctype P()
{
again:	for (i : 1 .. 3) {
		if
		:: x < 4 -> x++; goto again
		:: else
		fi
	};
	x = 0
}
active proctype Q()
{
	byte y;
progress: back: goto on;
on:	do
	:: y < 2 -> y++; goto back
	:: else -> break
	od
}
