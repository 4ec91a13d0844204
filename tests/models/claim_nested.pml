/* A cycle that only the inner search finds: when the outer one comes to accept_A, the rest of the cycle
 * has been searched and left already. */
active proctype P()
{
	do
	:: skip
	od
}

never {
S:	if
	:: true -> goto B
	:: true -> goto accept_A
	fi;
accept_A:
	if
	:: true -> goto B
	fi;
B:	if
	:: true -> goto S
	fi
}
