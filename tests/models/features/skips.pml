/* In an option a skip behind a skip or a print is no step, unless it is the last or has a label. */
byte x;
active proctype P()
{
	do
	:: x < 3 -> skip; skip; skip; x++
	:: x == 3 -> printf("three\n"); skip; x = 4; skip; skip
	:: x == 4 -> skip; there: skip; x = 5
	:: x == 5 -> break
	od;
	skip; skip; skip
}
active proctype Q() { byte y; y = 1; y = 2 }
