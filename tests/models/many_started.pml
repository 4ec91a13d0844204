/* No process lives long, but if none goes there are more than there can be: reduction, which
 * lets them go at once, must not hide that. The counter has no bound that the text tells. */
#ifndef N
#define N 300
#endif
chan d = [0] of { bit };

proctype D() { d!1 }

init
{
    short n;
    do
    :: n < N -> run D(); d?_
#ifndef ENDLESS
        n++
    :: else -> break
#endif
    od
}
