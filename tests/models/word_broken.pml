// The word that only P receives from c is wrong where Q does, too; elsewhere nothing is said.
chan c = [2] of { byte }
chan d = [2] of { byte }

active proctype P()
{
    byte x;
    xr c;
    xs d;
    c?x;
    d!x
}

active proctype Q()
{
    byte y;
    xs c;
    c!1;
    c!2;
#ifdef BROKEN
    if
    :: c?y
    :: skip
    fi;
#endif
#ifdef NEVER
    if
    :: y == 3 -> c?y
    :: else
    fi;
#endif
    d?y
}
