/* One atomic sequence with more paths than there is time for, all to different places: the limit
 * holds inside it, too. */
bit x[60];
byte i;
active proctype P()
{
    atomic {
        do
        :: i < 60 -> if :: x[i] = 1 :: x[i] = 0 fi; i++
        :: else -> break
        od;
        assert(x[0] < 2) /* what is read stays in the state */
    }
}
