/* The sweep of `auto`: a search without a bound that takes turns with the search by bounds.
 *
 * Bounds cost more per execution than a search without one, and most of what they find is found
 * early. So when the search by bounds has run for a while, a second search (`optimal`) is tried
 * beside it: if that ends, without a failure, every trace has been run, and nothing is left at
 * any bound. If it does not, the search by bounds goes on as if there had been no sweep: what
 * it reports, and with how many preemptions, is the same.
 *
 *     bounds  ──1,000──┐        ┌──1,000──┐        ┌──2,000──┐         executions
 *     sweep            └─32,000─┘         └─32,000─┘         └─64,000─ …
 *
 * A failure that the sweep finds is kept, and reported only if the search by bounds ends (the
 * time is up) without one. */
#ifndef MAZUR_RUNTIME_SWEEP_H
#define MAZUR_RUNTIME_SWEEP_H

#include <stdbool.h>

struct pool_root;

/* A search was created for the whole program. */
void sweep_reset(void);
/* Is the execution that is run, or was run last, one of the sweep's? */
bool sweep_runs(void);
/* Is it likely that the sweep goes on soon? Then the search by bounds is not divided yet. */
bool sweep_is_promising(void);
/* An execution of the search by bounds has ended, and there are more to run: the next one may
 * be the sweep's. */
void sweep_consider(struct pool_root *root);
/* An execution of the sweep has ended; `more`: it has another one. Returns whether the search,
 * whichever it is, has something left to run. */
bool sweep_end(bool more);
/* The sweep's execution has failed: keeps its schedule instead of the failure. */
void sweep_note_failure(void);
/* The search has ended. True: the sweep has found a failure and nothing else has: it is run
 * once more, to be reported. */
bool sweep_repeats_failure(struct pool_root *root);
bool sweep_is_repeating(void);
void sweep_end_repeating(void);

#endif
