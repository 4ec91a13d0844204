/* Two statements of a D_proctype that are enabled at once are an error, one send that two processes
 * could receive is not. */
byte g;
chan c = [0] of { byte };
D_proctype D(byte x)
{
	if
	:: x == 0 -> c!1
	:: x == 1 -> g = 1
	:: g == 0 && x == 1 -> g = 2
	fi
}
active [2] proctype R() { c?_ }
init { run D(0); run D(1) }
