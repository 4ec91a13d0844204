/* A jump from one atomic sequence into another gives up nothing, also where it is the last step;
 * one to a label before a sequence does. */
bool e;
byte n;
active proctype P()
{
	do
	:: n < 2 -> atomic { goto inside }
	:: atomic { n > 1 -> break }
	:: atomic { n == 0 -> goto before }
	:: atomic { n == 1 -> goto last }
	od;
	goto over;
	atomic { skip; inside: e = 0; e = 1; n++ };
	atomic { e = 0; last: n++ };
before:	atomic { e = 1; e = 0; n = 2 };
over:	assert(n > 1)
}
active proctype Q()
{
	e = 1; e = 0
}
