/* An else beside a send looks into the channel: a receive is not independent of it. The option is
 * the first statement of an inner choice, whose else asks about it, too. */
chan c = [1] of { byte };
bool sent;

active proctype P()
{
    byte x;
    (sent) -> c?x
}

active proctype Q()
{
    c!1;
    sent = true;
    if
    :: if
       :: c!2 -> skip
       fi
    :: else -> assert(false)
    fi
}
