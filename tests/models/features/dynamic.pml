byte alive, n; chan done = [2] of { pid };
proctype Child(byte depth; chan back)
{	chan own = [1] of { byte }; byte b; pid me = _pid;
	alive++; own!depth; own?b;
	if :: depth > 0 -> run Child(depth - 1, back) :: else -> skip fi;
	back!me; alive--
}
init { pid p; run Child(2, done); do :: n < 3 -> done?p; n++ :: else -> break od; _nr_pr == 1; assert(alive == 0) }
