/* Two processes of 800,000 bytes each: a state has room for a megabyte. */
proctype P(byte which)
{
	int a[200000];
	a[which] = 1
}
init { atomic { run P(1); run P(2) } }
