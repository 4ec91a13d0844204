/* What ends goes round in no cycle; at an accept label it stays for ever. */
byte x;
active proctype P()
{
	x = 1;
#ifdef ACCEPT
accept: x == 2
#endif
}
ltl safe { [] (x == 0) }
