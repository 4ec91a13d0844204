/* Data management of a spacecraft, in the place of mrf of paper 001's Table 1, which is not public: instruments make files, a
 * manager gives them room in a small memory, and a transmitter sends files to the ground and frees it. The mistake is one of
 * liveness: the transmitter prefers the first instrument's files, so the other one's may wait for ever. */
#ifndef INSTRUMENTS
#define INSTRUMENTS 2
#endif
#ifndef ROOM
#define ROOM 2
#endif
chan ask = [INSTRUMENTS] of { byte };
chan granted[INSTRUMENTS] = [1] of { bool };
chan stored[INSTRUMENTS] = [ROOM] of { byte };
chan freed = [ROOM] of { bool };
byte sent;
bool waits;

active [INSTRUMENTS] proctype instrument()
{
    byte file;
    do
    :: ask ! _pid;
        granted[_pid] ? true;
        atomic { stored[_pid] ! file; if :: _pid == 1 -> waits = true :: else fi };
        file = 1 - file
    od
}

active proctype manager()
{
    byte room = ROOM, who;
    do
    :: room > 0 -> ask ? who; room--; granted[who] ! true
    :: freed ? true -> room++
    od
}

active proctype transmitter()
{
    byte file;
    do
    :: stored[0] ? file -> sent = file; freed ! true
    :: empty(stored[0]) -> 
        if
        :: atomic { stored[1] ? file -> waits = false }; sent = file; freed ! true
        :: stored[0] ? file -> sent = file; freed ! true
        fi
    od
}

ltl all_are_sent { [] (waits -> <> !waits) }
