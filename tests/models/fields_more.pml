/* A receive with more fields than a message has: a failure as soon as there is a message. */
chan c = [1] of { byte };

active proctype P()
{
    byte x, y;
#ifdef SENT
    c!1;
#endif
end:
    c?x, y
}
