/* The scout of `auto`: a search without a bound that takes turns with the search by bounds.
 *
 * Bounds cost more per execution than a search without one, and most of what they find is found
 * early. So when the search by bounds has run for a while, a second search (`optimal`) is tried
 * beside it: if that ends, without a failure, every trace has been run, and nothing is left at
 * any bound. If it does not, the search by bounds goes on as if there had been no scout: what it
 * reports, and with how many preemptions, is the same.
 *
 *     bounds  ──1,000──┐        ┌──1,000──┐        ┌──2,000──┐         executions
 *     scout            └─32,000─┘         └─32,000─┘         └─64,000─ …
 *
 * A failure that the scout finds is kept, and reported only if the search by bounds ends (the
 * time is up) without one. */
#ifndef MAZUR_RUNTIME_SCOUT_H
#define MAZUR_RUNTIME_SCOUT_H

#include <stdbool.h>

struct pool_root;

/* A search was created for the whole program. */
void scout_reset(void);
/* Is the execution that is run, or was run last, one of the scout's? */
bool scout_runs(void);
/* Is it likely that the scout goes on soon? Then the search by bounds is not divided yet. */
bool scout_is_promising(void);
/* An execution of the search by bounds has ended, and there are more to run: the next one may
 * be the scout's. */
void scout_consider(struct pool_root *root);
/* An execution of the scout has ended; `more`: it has another one. Returns whether the search,
 * whichever it is, has something left to run. */
bool scout_end(bool more);
/* The scout's execution has failed: keeps its schedule instead of the failure. */
void scout_note_failure(void);
/* The search has ended. True: the scout has found a failure and nothing else has: it is run
 * once more, to be reported. */
bool scout_repeats_failure(struct pool_root *root);
bool scout_is_repeating(void);
void scout_end_repeating(void);

#endif
