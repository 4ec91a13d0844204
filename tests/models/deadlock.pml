/* Two locks taken in opposite order: a failure of one preemption; -D ORDERED takes them alike. */
bit a, b;
active proctype P() { atomic { !a -> a = 1 } atomic { !b -> b = 1 } b = 0; a = 0 }
#ifdef ORDERED
active proctype Q() { atomic { !a -> a = 1 } atomic { !b -> b = 1 } b = 0; a = 0 }
#else
active proctype Q() { atomic { !b -> b = 1 } atomic { !a -> a = 1 } a = 0; b = 0 }
#endif
