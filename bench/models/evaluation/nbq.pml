/* A non-blocking queue with the mistake that its kind is known for, in the place of nbq of paper 001's Table 1, which is not
 * public: an entry is written before its slot is claimed by compare-and-swap. Who was preempted in between overwrites the
 * entry of somebody else, and writes his own once more. */
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ENTRIES
#define ENTRIES 2 /* of each writer */
#endif
#define SLOTS (WRITERS * ENTRIES + 1)
byte slot[SLOTS];
byte tail, head;
byte taken[WRITERS];

active [WRITERS] proctype writer()
{
    byte place, sent;
    do
    :: sent < ENTRIES ->
        place = tail;
        slot[place] = _pid + 1;
        if
        :: atomic { tail == place -> tail = place + 1 } sent++
        :: tail != place
        fi
    :: else -> break
    od
}

active proctype reader()
{
    byte got;
    do
    :: head < tail ->
        got = slot[head];
        taken[got - 1]++;
        assert(taken[got - 1] <= ENTRIES);
        head++;
        if
        :: head == WRITERS * ENTRIES -> break
        :: else
        fi
    od
}
