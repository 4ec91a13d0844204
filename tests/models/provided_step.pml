/* The step makes the process's own condition false: it stops before the next statement, which
 * changes nothing, and not at its end label behind that. -D AFTER: at the label. */
byte g;
active proctype P() provided (g == 0)
{
    skip;
#ifdef AFTER
    skip;
    g = 1;
#else
    g = 1;
    skip;
#endif
end:
    (g == 2)
}
