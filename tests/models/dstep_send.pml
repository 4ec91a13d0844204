/* A rendezvous that a d_step offers: nobody can receive before the step is over, as in Spin. */
chan c = [0] of { byte };
byte s;

active proctype S()
{
    d_step {
#ifdef LATER
        s = 1;
#endif
        c!3;
        s = 2
    }
}

active proctype R()
{
end:
    c?_
}
