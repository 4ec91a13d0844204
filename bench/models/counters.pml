/* N processes count to LAST and wait for the token to start again: many states, small steps. */
#ifndef N
#define N 5
#endif
#define LAST 7
byte count[N];
byte token;

active [N] proctype counter()
{
    do
    :: count[_pid] < LAST -> count[_pid] = count[_pid] + 1
    :: count[_pid] == LAST && token == _pid ->
        atomic { count[_pid] = 0; token = (token + 1) % N }
    od
}
