/* Peterson for two, with its properties as formulas; -D BROKEN forgets to give way. */
bool wants[2], inside[2];
byte turn;
active [2] proctype user()
{
	do
	:: wants[_pid] = true;
#ifndef BROKEN
	   turn = 1 - _pid;
#endif
	   (!wants[1 - _pid] || turn == _pid);
	   inside[_pid] = true;
	   inside[_pid] = false;
	   wants[_pid] = false
	od
}
ltl exclusion { [] !(inside[0] && inside[1]) }
ltl entry { [] (wants[0] -> <> inside[0]) }
