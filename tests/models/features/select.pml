/* Constant bounds and a name without underscores: one choice. Otherwise, and in an inline, the
 * variable counts up, and others see the values between. */
byte plain, with_underscore;
inline pick(v) { select(v : 1 .. 3) }
active proctype Chooser()
{	select(plain : 1 .. 33);
	select(with_underscore : 1 .. 3);
	pick(plain);
	select(plain : 1 .. with_underscore)
}
active proctype Watcher()
{	byte seen, low_seen = 1;
	seen = with_underscore;
	select(seen : 0 .. 1);
	select(low_seen : 2 .. 3);
	assert(with_underscore != 1)
}
