/* Two processes receive from one channel that both have as a parameter: who comes first matters. */
chan q[2] = [2] of { byte };

proctype Q(chan in; bool first)
{
    byte x;
    in?x;
    assert(!first || x == 1)
}

init {
    atomic {
        q[0]!1;
        q[0]!2;
        run Q(q[0], true);
        run Q(q[0], false)
    }
}
