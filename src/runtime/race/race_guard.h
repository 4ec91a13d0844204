/* Races and the path to a state: for searches that prune at known states.
 *
 * The race detector judges only the execution that is run. When a search prunes at a known
 * state, it does not run the continuation after the new path to the state. But an access of the
 * new path might race with an access of the continuation, and the first path to the state did
 * not show this.
 *
 * This is impossible if all conflicting accesses are ordered on every path. So for each thread
 * and each 8 bytes, over all executions, this keeps the accesses and what orders them in the
 * thread's own past:
 *   - the locks that were held every time: two accesses under one lock are ordered;
 *   - the children that existed at some access: what came before a thread's creation, or after
 *     it was joined, is ordered with everything that it did.
 * Such a search reaches every local state of every thread, so it sees every access and what
 * orders it. race_guarded() then compares all pairs of threads.
 *
 * Invariant: when in doubt, two accesses count as a race. Accesses before the second thread
 * exists are ordered before everything, as in race.h. */
#ifndef MAZUR_RUNTIME_RACE_GUARD_H
#define MAZUR_RUNTIME_RACE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/threadset.h"

#define RACE_HOLDING 16

/* The locks that the running thread holds, and its children that it has not joined or that have
 * children of their own. */
struct race_holding {
    uint32_t nlocks;
    uint64_t lock[RACE_HOLDING];
    bool shared[RACE_HOLDING]; /* others can hold it at the same time */
    threadset children;
    bool was_on; /* for the runtime: whether program code was running */
};
extern void (*race_guard_enter)(struct race_holding *holding);
extern void (*race_guard_leave)(const struct race_holding *holding);

/* Starts to record accesses, in the search's memory. */
void race_guard_start(struct pool *pool);
void race_guard_stop(void);
void race_guard_begin(void); /* an execution */
/* From now on the lock's name may refer to another lock. */
void race_guard_forget(uint64_t lock);
/* An access; `kind` is enum race_kind. */
void race_guard_touch(int tid, int kind, uint64_t address, uint64_t size);
/* Is it certain that no path to a state shows a race that other paths to it do not? */
bool race_guarded(int nthreads, int (*parent)(int));

#endif
