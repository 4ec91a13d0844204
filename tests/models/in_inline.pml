/* Statements of inlines are named with the line in the body and the place of the call, mistakes in
 * their text and in arguments, too. */
byte x;

inline add(to, n)
{
    to = to + n;
    assert(to < 4)
#ifdef MISTAKE
    ; to = nothing
#endif
}

inline twice(to, n)
{
    add(to, n);
    add(to, n)
}

active proctype P()
{
#ifdef ARGUMENT
    add(unknown, 1);
#endif
    twice(x, 2)
}
