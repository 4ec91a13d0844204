/* A rendezvous channel is always empty and never full. */
chan c = [0] of { byte };
byte x;
active proctype P()
{
	do
	:: full(c) -> x = 1
	:: nfull(c) -> x = 2
	:: nempty(c) -> x = 3
	:: empty(c) -> x = 4
	:: len(c) > 0 -> x = 5
	od
}
active proctype Q() { c!1 }
active proctype R() { c?_ }
