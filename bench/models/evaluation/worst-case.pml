/* Paper 001, Appendix C: N processes, each of which must take a step of its own for the assertion to fail; there it stands in
 * a claim, so that it costs no step, either. */
#define N 10
int count;
active [N] proctype p() { d_step { count++; assert(count != N) }; count-- }
