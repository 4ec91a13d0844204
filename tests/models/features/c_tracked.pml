/* Memory of C that is part of the state; each search, and each run along a trail, begins with its
 * first values. */
c_decl { extern int count; }
c_code { int count; }
c_track "&count" "sizeof(int)"
byte x;

active [2] proctype P()
{
    do
    :: c_expr { count < 3 } -> c_code { count++; now.x = count; }
    :: c_expr { count >= 3 } -> break
    od;
    assert(x == 3)
}
