/* A claim that is over before the first step is violated there. LATER: it never is. */
byte g;
active proctype A() { g = 1 }
never {
#ifdef LATER
waits:
#else
end_at_once:
#endif
    (g == 2)
}
