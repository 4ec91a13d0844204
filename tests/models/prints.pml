/* What processes print is shown with the failure, as values were there; what a d_step prints with
 * it. BEYOND: an argument of printf looks behind an array. FINE: nothing fails. */
mtype = { red, green };
mtype:fruit = { apple, pear };
mtype:fruit picked = pear;
byte x = 3, a[3];
chan c = [0] of { byte };
active proctype P()
{
    printf("x is %d, %e %e\n", x + 1, red, picked);
    d_step { printf("one %3d/", 7); x = 2; printf("two %x\n\tmore", 255) };
#ifdef BEYOND
    printf("%d\n", a[x + 1]);
#endif
    c!1;
#ifndef FINE
    assert(x != 2)
#endif
}
active proctype Q() { c?_; printf("100%% of %d\n", x) }
