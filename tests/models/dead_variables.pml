/* A variable that is only sent is not dead before that. */
chan c = [1] of { byte };

active proctype P()
{
	byte sent, received;
	sent = 3;
	c!sent;
	c?received;
	assert(received == 3)
}
