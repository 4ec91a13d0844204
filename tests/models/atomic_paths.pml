/* One atomic sequence with more paths than there is time for: the limit holds inside it, too. */
byte i, x;
active proctype P()
{
    atomic {
        do
        :: i < 60 -> if :: x = 1 - x :: x = x fi; i++
        :: else -> break
        od
    }
}
