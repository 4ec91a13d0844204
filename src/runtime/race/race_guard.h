/* Races and the way to a state: for searches that turn back at states they have seen.
 *
 * The race detector judges the execution that is run. A search that turns back at a state does
 * not run what follows the way it came by this time, and there an access of this way might race
 * with one of what follows, which the first way to the state did not show.
 *
 * Not if no two conflicting accesses can be unordered on any way. So for each thread and each 8
 * bytes, over all executions, this keeps what was accessed and what speaks for it in the
 * thread's own past:
 *   - the locks that were held every time: two accesses under one lock are ordered;
 *   - the children that were there at some access: what came before a thread's creation, or
 *     after it was joined, is ordered with all that it did.
 * Such a search reaches every local state of every thread, so every access with what speaks for
 * it is seen. race_guarded() then compares the threads with each other, pair by pair.
 *
 * Invariant: whatever is in doubt counts as a race. Accesses before the second thread exists
 * are ordered before everything, as in race.h. */
#ifndef MAZUR_RUNTIME_RACE_GUARD_H
#define MAZUR_RUNTIME_RACE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/threadset.h"

#define RACE_HOLDING 16

/* Of the running thread: locks that it holds, and its children that it has not joined, or that
 * have children of their own. */
struct race_holding {
    uint32_t nlocks;
    uint64_t lock[RACE_HOLDING];
    bool shared[RACE_HOLDING]; /* others can hold it at the same time */
    threadset children;
    bool was_on; /* the runtime's own: an access is noted in the middle of the program */
};
extern void (*race_guard_enter)(struct race_holding *holding);
extern void (*race_guard_leave)(const struct race_holding *holding);

/* From here on accesses are noted, in memory of the search's. */
void race_guard_start(struct pool *pool);
void race_guard_stop(void);
void race_guard_begin(void); /* an execution */
/* The lock's name may stand for another one from now on. */
void race_guard_forget(uint64_t lock);
/* An access; `kind` is enum race_kind. */
void race_guard_touch(int tid, int kind, uint64_t address, uint64_t size);
/* Can no way to a state show a race that others do not? */
bool race_guarded(int nthreads, int (*parent)(int));

#endif
