/* Three updates of four are lost, which takes four preemptions. The search by bounds is done with less
 * memory than the one for the execution with the fewest switches: --memory between the two. */
byte n, done, a[2];
active [2] proctype P() { byte i, t; do :: i < 3 -> t = n; n = t + 1; i++ :: else -> break od; done++ }
active [2] proctype Q() { byte i; do :: i < 9 -> i++; a[_pid - 2] = i :: else -> break od }
active proctype R() { (done == 2) -> assert(n > 2) }
