/* N philosophers who take the left fork, then the right one, and think in between; the last one
 * is left-handed, so there is no deadlock. */
#ifndef N
#define N 11
#endif
bit fork[N];
byte eaten;

active [N] proctype philosopher()
{
    byte first = (_pid == N - 1 -> 0 : _pid);
    byte second = (_pid == N - 1 -> N - 1 : _pid + 1);
    do
    :: atomic { fork[first] == 0 -> fork[first] = 1 };
       atomic { fork[second] == 0 -> fork[second] = 1 };
       eaten = (eaten + 1) % 3;
       fork[second] = 0;
       fork[first] = 0
    od
}
