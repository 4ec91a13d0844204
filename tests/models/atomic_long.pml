/* An atomic sequence of more steps than are followed: what lies inside of it is no state that others
 * or a claim could see, and its process is not blocked. */
#ifndef N
#define N 20000
#endif
int x;
bool p, q;

active proctype P()
{
    do
    :: atomic {
        do
        :: x < N -> x++
        :: else -> break
        od;
        x = 0;
        p = 1 - p
    }
    od
}

active proctype Q()
{
    do
    :: assert(x == 0); q = 1 - q
    od
}

ltl unseen { [] (x == 0) }
ltl served { [] <> p }
