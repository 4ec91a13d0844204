/* Paper 001, Appendix C (without its claim): every process must take a step of its own. */
#define N 10
int count;
active [N] proctype p() { count++; count-- }
