byte turn, count;
active [2] proctype P() provided (turn == _pid)
{	byte k;
	do :: k < 3 -> k++; count++; turn = 1 - turn :: else -> turn = 1 - turn; break od
}
