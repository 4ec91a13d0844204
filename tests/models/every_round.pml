/* Two processes that never wait for each other: a cycle on which both move is preempted in every
 * round, once on the way and once to begin the next one (--progress --fair); within a bound there is
 * none. */
bit a, b;
active proctype first() { do :: a = 1 - a od }
active proctype second() { do :: b = 1 - b od }
