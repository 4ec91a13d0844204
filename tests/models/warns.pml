/* What is no mistake, and hardly meant. */
byte x = 300;
short s;
unsigned u : 3;

init
{
    s = 40000;
    u = 9;
    x = -1; /* all bits: no warning */
    printf("%d of %d\n", x)
}
