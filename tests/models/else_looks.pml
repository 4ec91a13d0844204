/* An else beside a receive looks into the channel: a send is not independent of it. */
chan c = [1] of { byte };

active proctype P()
{
    c!1
}

active proctype Q()
{
    byte x;
    if
    :: c?x -> skip
    :: else -> assert(false)
    fi
}
