/* Q is the only one to receive from q[0] while init has not started its twin: a receive of Q is
 * not independent of that. */
chan q[2] = [2] of { byte };
byte twin;

proctype Q(chan in; bool first)
{
    byte x;
    in?x;
    assert(!first || x != 2)
}

init {
    q[0]!1;
    q[0]!2;
    run Q(q[0], true);
    run Q(q[0], false)
}
