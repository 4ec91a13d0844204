/* What is wrong stands in a macro: the message shows the macro, and what became of it. */
#define SET(x) x = 1; y = 2
byte x;
init { /* first */ SET(x); x = 3 }
