/* A d_step that begins with the receive of a rendezvous, alone and as one of several options. */
chan c = [0] of { byte, bit };
byte s;

active [2] proctype S()
{
    do
    :: c!_pid,0
    :: c!_pid,1 -> break
    od
}

active [2] proctype R()
{
    byte v;
    bit b;
end:
    do
    :: c?v,1 -> s++
    :: c?eval(_pid - 2),b -> s = s ^ 1
    :: d_step { c?v,b; s = 0 }
    :: d_step {
        if
        :: c?0,b -> v = 1
        :: c?v,0 -> s = 3 - s % 4; v = 0
        fi;
        b = 0
    }
    od
}
