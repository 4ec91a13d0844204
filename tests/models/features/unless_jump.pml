/* A jump that is a step of its own, here into and out of an atomic sequence, is escaped from. */
byte g0, g1;
active proctype P()
{
	{ { atomic { skip; inside: goto behind; skip }; g0 = 2 } } unless { skip };
	g0 = 1;
behind:	g1 = 1;
	(g0 < 3) -> atomic { goto inside }
}
active proctype Q()
{
	g0 = 3; g1 = 4
}
