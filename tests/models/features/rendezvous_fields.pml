/* What a rendezvous hands over is cut off as in a channel with room: 2 is 0 as a bit, 300 is 44
 * as a byte. WIDE: fields that hold them. */
#ifdef WIDE
chan c = [0] of { int, byte };
#else
chan c = [0] of { byte, bit };
#endif
active proctype Receiver()
{
    byte x;
    int y;
    chan d;
    c?2,x;
    assert(x == 0);
    d = c;
    d?y,_;
    assert(y == 44)
}
active proctype Sender() { c!2,2; c!300,1 }
