/* np_ in a claim of one's own: there is progress in every other state. SLOW: in every third. */
byte g;
active proctype P()
{
    do
    :: g = 0;
#ifdef SLOW
       g = 2;
#endif
progress: g = 1
    od
}
never { do :: np_ -> np_ -> break :: !np_ od }
