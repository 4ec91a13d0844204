/* Conditions that can't be computed: no step fails, the trail shows where. With ZERO a division,
 * which ends Spin itself. With FORMULA the claim is Spin's. */
byte i, a[3];

active proctype P()
{
    do
#ifdef ZERO
    :: 6 / (2 - i) > 2 -> i++
    :: else -> break
#else
    :: a[i] == 0 -> i++
#endif
    od
}

#ifdef FORMULA
ltl below { [] (i < 4) }
#endif
