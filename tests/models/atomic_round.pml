/* Atomic sequences with many ways to the same place, that go round, and that are long: each place
 * in them is left once, and what lies behind them is seen. */
byte x, i;
int n;
active proctype Many()
{
	atomic {
		do
		:: i < 60 -> if :: x = 1 - x :: x = x fi; i++
		:: else -> break
		od
	}
#ifdef FAILS
	assert(x == 0)
#endif
}
active proctype Round()
{
	i == 60;
	atomic {
		do
		:: x = 1 - x
		:: x == 1 -> break
		od
	};
	i = 61
}
active proctype Long()
{
	i == 61;
	atomic {
		do
		:: n < 50000 -> n++
		:: else -> break
		od
	};
	i = 62;
#ifdef FAILS_LATE
	assert(n == 49999)
#endif
}
#ifdef ENDLESS
active proctype Endless()
{
	i == 62;
	atomic { do :: x = 1 - x od }
}
#endif
#ifdef CLAIMED
ltl reaches { <> (i == 62) }
#endif
