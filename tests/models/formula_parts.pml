/* Conditions of a formula that differ in an index, or in whose priority they ask for, are two. */
byte g;

active proctype P() priority 2
{
    byte a[2];
    a[0] = 1;
    g = 1;
    a[1] = 1;
end:
    g == 2
}

active proctype Q() priority 1
{
end:
    g == 2
}

ltl together { [] !(P:a[0] == 1 && !(P:a[1] == 1)) }
ltl ranks { [] !(get_priority(0) == 2 && !(get_priority(1) == 2)) }
