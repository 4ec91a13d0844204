/* What an option declares is known to the end of the block around it: only braces make a scope. A
 * label with nothing behind it names a step that does nothing. */
byte sum;
inline add(n) { byte twice = 2 * n; sum = sum + twice }
active [2] proctype P()
{	do
	:: sum < 20 ->
		byte seen = sum;
		if
		:: seen % 2 == 0 -> byte half = seen / 2; sum = sum + 2; again:
		:: else
		fi
		add(1);
		add(half)
	:: else -> break
	od;
	assert(half <= 9 && seen < 20);
	if
	:: seen > 10 -> rest: ;
	:: else -> goto done
	fi;
done:
}
