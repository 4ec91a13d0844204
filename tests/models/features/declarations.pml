/* Declarations as Spin reads them: commas of an mtype are optional, the last value of a list is for
 * all elements that follow, 010 is ten, a bound may be the initial value of a variable, and a
 * structure that is declared behind a statement takes a step. */
mtype = { red green, blue
	yellow }
byte size = 3;
typedef Pair { byte first = 4; short second[2] }
byte filled[4] = { 5, 6 };
short sized[size];
chan c = [1] of { mtype, byte };
active [size] proctype P()
{	byte own[size] = { 010 };
	assert(filled[3] == 6 && own[2] == 10);
	Pair pair, more[2];
	if
	:: skip; Pair inside; inside.first++; assert(inside.first == 5 && pair.first == 4)
	:: sized[_pid] = yellow; Pair last
	fi;
	byte got, what;
	c!blue(_pid);
	c?(what, got);
	assert(got == _pid)
}
