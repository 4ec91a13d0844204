/* Where cycles without progress are looked for, a step to a label of progress is seen: if Q stays
 * before it, P goes round without progress. For safety alone it is a step like others. */
byte x;

active proctype Q()
{
    byte i;
    i = 1;
progress:
    i == 0
}

active proctype P()
{
    do
    :: x == 0 -> x = 1
    :: x == 1 -> x = 0
    od
}
