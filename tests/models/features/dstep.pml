byte x, y; byte a[4];
active [2] proctype P()
{	byte i;
	do
	:: d_step { x < 3 -> i = 0; do :: i < 4 -> if :: a[i] == 0 -> a[i] = x + 1; break :: else -> i++ fi :: else -> break od; x++; if :: x == 2 -> y = 9 :: else fi; y = i }
	:: x >= 3 -> break
	od;
	atomic { y++; if :: y > 3 -> y = 0; goto last :: else -> skip fi; a[0] = 7 }
last:	skip
}
