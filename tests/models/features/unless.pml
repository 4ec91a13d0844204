byte x, y;
chan c = [1] of { byte };
active proctype A()
{	byte n;
	{ do :: n < 3 -> n++; c!n od; y = 1 } unless { x == 2 -> y = 5 };
	assert(y < 9)
}
active proctype B()
{	byte m;
	do
	:: c?m -> x++
	:: x > 3 -> break
	:: timeout -> break
	od
}
