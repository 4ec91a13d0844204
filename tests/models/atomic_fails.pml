/* A failure among very many paths of one atomic sequence, found on one of the first: it is shown, also
 * where the time is up before all of them were followed. */
byte i, x;
active proctype P()
{
    atomic {
        do
        :: i < 60 -> if :: x = 1 - x :: x = x fi; i++
        :: else -> break
        od;
        assert(x == 1)
    }
}
