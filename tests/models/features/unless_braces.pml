/* Braces around a side of an unless are no state, a label before it makes one, and an escape's own
 * escapes are looked at with it. */
byte g;
chan c = [1] of { byte };
active proctype P()
{
	byte x;
start:	{ do
	  :: c!1; c?0; break
	  :: nfull(c) -> g = 1 - g
	  od } unless { g == 1 -> x = 1 };
	if
	:: { { { g == 0; x = 2 } unless { x == 1 -> c!2 } } unless { full(c) -> c?_; x = 0 } }
	   unless { g == 2 -> do :: c!0; break :: x == 0 -> g = 0 od }
	:: x = 2
	fi;
	goto start
}
active proctype Q() { do :: g < 2 -> g++ :: c?_ od }
