/* Channels are parameters: the else of Q asks about the channel that P sends to. */
chan q[2] = [1] of { byte };

proctype P(chan out)
{
    out!1
}

proctype Q(chan in)
{
    byte x;
    if
    :: in?x -> skip
    :: else -> assert(false)
    fi
}

init {
    atomic {
        run P(q[0]);
        run Q(q[0])
    }
}
