typedef In { byte a[2]; bit f };
typedef Out { In in[2]; unsigned u : 3; short s };
Out o[2]; int total; bool flag; mtype:colour = { red, green }; mtype:shape = { round, square };
mtype:colour col = green; mtype:shape sh = round;
active proctype P()
{	byte i; Out mine;
	for (i : 0 .. 1) { o[i].in[i].a[1] = 250 + 10 * i; o[i].u = 9; o[i].s = 40000; o[i].in[0].f = 3 }
	mine.in[1].a[0] = o[1].in[1].a[1]; total = mine.in[1].a[0] + o[0].u + o[1].s;
	flag = (total > 0 -> 1 : 0); col = red; sh = square;
	select (i : 1 .. 3); total = total * i / 2 % 7 ^ 5 | 2 & 3 << 1 >> 1;
	total = -total; total = ~total; total--; assert(!flag || total != 123)
}
