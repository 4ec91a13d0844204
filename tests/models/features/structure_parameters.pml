/* A structure is passed to a process member by member: so are its members, one by one, or one
 * structure's members in place of another's. */
typedef Inner { byte u; bool v }
typedef Pair { short s; Inner inner; chan c = [1] of { byte } }
Pair pairs[2];
byte sum;
proctype P(byte k; Pair p; byte z)
{
	p.s++;
	sum = sum + p.inner.u + k + z;
	assert(p.s == -3 && p.inner.v);
	p.c!p.inner.u
}
proctype Q(Inner i)
{
	sum = sum + i.u
}
proctype R(byte u, v)
{
	assert(u == 3 && v)
}
init
{
	byte got;
	pairs[1].s = -4; pairs[1].inner.u = 3; pairs[1].inner.v = true;
	run P(9, pairs[1], 7);
	pairs[1].c?got;
	run Q(2, 1);
	run R(pairs[1].inner);
	run Q(pairs[0].inner);
	_nr_pr == 1 -> assert(sum == 21 && got == 3 && pairs[1].s == -4)
}
