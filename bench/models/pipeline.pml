/* A chain of N buffers: numbers go in at one end, each stage holds some of them in a channel, and
 * the far end checks their order. */
#ifndef N
#define N 7
#endif
#define SIZE 2
#define VALUES 4
chan link[N] = [SIZE] of { byte };

active proctype source()
{
    byte value;
    do
    :: link[0] ! value; value = (value + 1) % VALUES
    od
}

active [N - 1] proctype stage()
{
    byte held;
    do
    :: link[_pid - 1] ? held; link[_pid] ! held
    od
}

active proctype sink()
{
    byte expected, got;
    do
    :: link[N - 1] ? got; assert(got == expected); expected = (expected + 1) % VALUES
    od
}
