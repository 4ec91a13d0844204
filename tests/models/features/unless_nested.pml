byte x;
active proctype A()
{
	{ { x = 1; x = 2; (x > 5); x = 3 } unless { x == 2 -> x = 7; skip } ; x = 10 } unless { x == 7 -> x = 20 }
	x = 30
}
active proctype B() { x == 2; x = 6; x == 10 || x == 20 }
