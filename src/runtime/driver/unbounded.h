/* `auto` beside its bounds: a search without a bound that takes turns with the search by
 * bounds.
 *
 * Bounds cost more per execution than a search without one, and most of what they find is found
 * early. So when the search by bounds has run for a while, a second search (`optimal`) is tried
 * beside it: if that ends, without a failure, every trace has been run, and nothing is left at
 * any bound. If it does not, the search by bounds goes on as if there had been none: what it
 * reports, and with how many preemptions, is the same.
 *
 *     bounds  ──300──┐       ┌──300──┐        ┌──600──┐         executions
 *     no bound       └─9,600─┘       └─9,600──┘       └─19,200─ …
 *
 * A failure that it finds is kept, and reported only if the search by bounds ends (the
 * time is up) without one. */
#ifndef MAZUR_RUNTIME_UNBOUNDED_H
#define MAZUR_RUNTIME_UNBOUNDED_H

#include <stdbool.h>

struct pool_root;

/* A search was created for the whole program. */
void unbounded_reset(void);
/* Is the execution that is run, or was run last, one of its? */
bool unbounded_runs(void);
/* Is it likely that the other search goes on soon? Then the search by bounds is not divided
 * yet. */
bool unbounded_is_promising(void);
/* An execution of the search by bounds has ended, and there are more to run: the next one may
 * be its. */
void unbounded_consider(struct pool_root *root);
/* An execution of it has ended; `more`: it has another one. Returns whether the search,
 * whichever it is, has something left to run. */
bool unbounded_end(bool more);
/* Its execution has failed: keeps its schedule instead of the failure. */
void unbounded_note_failure(void);
/* The search has ended. True: the other search has found a failure and nothing else has: it is
 * run once more, to be reported. */
bool unbounded_repeats_failure(struct pool_root *root);
bool unbounded_is_repeating(void);
void unbounded_end_repeating(void);

#endif
