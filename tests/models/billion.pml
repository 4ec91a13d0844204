/* 8 to the power of 10 states: more than fit in the memory that a test allows. */
byte count[10];
active [10] proctype counter()
{
    do
    :: count[_pid] = (count[_pid] + 1) % 8
    od
}
