/* Which operators bind stronger, and what numbers mean. -D INDEX: one element too far. -D ZERO: a
 * division by zero. */
byte a[2];

active proctype P()
{
	int zero = 0, one = 1, two = 2, seven = 7;
	assert(one || one && zero);
	assert(one + two * 3 == 7);
	assert(seven - two - one == 4);
	assert((one | two & zero) == 1);
	assert(1 << two + 1 == 8);
	assert((one < two) == 1);
	assert(-seven / two == -3);
	assert(-seven % two == -1);
	assert(010 == 10);
#ifdef INDEX
	a[two] = 1;
#endif
#ifdef ZERO
	one = seven / zero;
#endif
	a[one] = 1
}
