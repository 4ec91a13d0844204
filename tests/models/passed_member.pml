/* Channels that are members of structures, which are passed as parameters: two processes receive from one of them,
 * so who comes first matters. APART: each has its own, and every order is the same. */
typedef Pair { byte n; chan c = [4] of { byte } }
typedef Ends { byte n; Pair left; Pair right }

proctype Q(Ends e; bool first)
{
    byte x, y;
    e.right.c?x;
    e.right.c?y;
    assert(!first || (x == 1 && y == 2));
    e.left.c!y
}

init {
    Ends a, b;
    atomic {
        a.right.c!1;
        a.right.c!2;
#ifdef APART
        b.right.c!1;
        b.right.c!2;
        run Q(b, false);
#else
        a.right.c!3;
        a.right.c!4;
        run Q(a, false);
#endif
        run Q(a, true)
    }
}
