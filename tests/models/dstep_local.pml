/* A d_step of local statements is taken alone, like one local statement; one that others see is not (-D SHARED). */
byte x;
active proctype B() { x = 2; assert(x == 2) }
active proctype A()
{
	byte i, sum;
	d_step {
		i = 0;
		do
		:: i < 3 -> sum = sum + i; i++
		:: else -> break
		od;
#ifdef SHARED
		x = 1
#endif
	}
	assert(sum == 3)
}
