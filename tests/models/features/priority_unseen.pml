/* The choice of Free is one that a D_proctype must not have; while High can move, nobody looks
 * at it. SAME: equal priorities, and it is found. */
#ifdef SAME
#define MORE 1
#else
#define MORE 2
#endif
bit b;
active proctype High() priority MORE { do :: b = !b od }
active proctype Start() priority 2 { run Free() }
D_proctype Free() { if :: skip :: b = 0 fi }
