/* An atomic sequence is interrupted where it enables a process of a higher priority: h is 5 in
 * the assertion. SAME: equal priorities, and nobody comes between. */
#ifdef SAME
#define MORE 1
#else
#define MORE 2
#endif
byte g, h;
active proctype Low() priority 1 { atomic { h = 1; g = 1; assert(h == 1); h = 2 } }
active proctype High() priority MORE { (g == 1) -> h = 5 }
