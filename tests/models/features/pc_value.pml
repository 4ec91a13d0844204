/* pc_value(): control states under Spin's numbers. */
byte x;

active proctype A()
{
    do
    :: x < 3 -> x++
    :: x == 3 -> break
    od;
    if
    :: pc_value(1) == 2 -> x = 20 + pc_value(0)
    :: pc_value(1) > 4 -> x = 40 + pc_value(1)
    :: else -> x = 60
    fi
}

active proctype B()
{
    x == 1;
    { x = 2; x = 1 } unless { x == 3 };
    x = pc_value(0)
}
