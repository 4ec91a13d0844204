/* Variables, elements, members and fields of messages that nothing reads are no part of a state: this
 * counts for ever and has few states. READ: each of them comes to an assertion that fails. */
typedef Row { byte used; int count };
int total, slot[2], last;
Row row;
byte turn;
chan log = [2] of { byte, int };
active proctype P(int given)
{
    int rounds, sum;
    do
    :: turn == 0 ->
       total++; slot[1] = slot[1] + total; row.count = slot[1]; row.used = 1;
       rounds++; sum = sum + rounds; given = sum;
       turn = 1; log!1(row.count)
#if READ == 1
       ; assert(total < 3)
#elif READ == 2
       ; assert(slot[1] < 6)
#elif READ == 3
       ; assert(given < 6)
#endif
    od
}
active proctype Q()
{
    do
    :: log?1(last); assert(row.used == 1); turn = 0;
#if READ == 4
       assert(last < 4)
#elif READ == 5
       slot[0] = 1 / (last - 6)
#elif READ == 6
       if :: len(log) < 3 - row.count / 3 :: len(log) > 5 fi
#endif
    od
}
#if READ == 7
ltl small { [] (total < 3) }
#endif
ltl turns { [] <> (turn == 1) }
