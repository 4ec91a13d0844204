/* cbpor in a leaf (explore/strategy/leaf.h): only the traces of the leaf are run.
 *
 * The walk still starts at the initial state and prices are those of the whole lattice: the
 * order of a trace with the fewest preemptions need not run the required events first. What
 * changes is which steps there are. An event is *bad* if no trace of the leaf contains it:
 *
 *     it is in the place of a required event, but not that event
 *     a required event that is still to come depends on it: that one would have another past
 *     it is excluded
 *
 * An execution that meets a bad event is given up, and the state behind it counts as exhausted.
 * This alone is exact. To save executions, steps whose event is certain to be bad are known in
 * advance (cbpor_leaf_excludes).
 *
 * Giving a part away needs no search to start again: the leaf gets smaller, and what was
 * exhausted stays so. The events to split by are chosen once, from the first trace (the
 * *comb*), so that the executions of each part can be counted from the beginning. The search
 * goes depth first, so the part without the first event of the comb comes last: it is given
 * away first. */
#ifndef MAZUR_EXPLORE_CBPOR_LEAF_H
#define MAZUR_EXPLORE_CBPOR_LEAF_H

#include "explore/cbpor/cbpor_trace.h"
#include "explore/strategy/leaf.h"

struct cbpor_leaf;

/* NULL: not with so many threads, or steps. */
struct cbpor_leaf *cbpor_leaf_create(struct pool *pool, const struct leaf *given);
/* A schedule of the required events; its trace must be given to cbpor_leaf_require() before the
 * search begins, unless it is empty. */
const struct leaf *cbpor_leaf_given(const struct cbpor_leaf *leaf);
/* False: the schedule does not lead to as many events as it has steps. */
bool cbpor_leaf_require(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);

/* While an execution is recorded in `trace`. */
void cbpor_leaf_begin(struct cbpor_leaf *leaf);
/* Events were added to the trace. True: one of them is bad. */
bool cbpor_leaf_look(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* The blocks of the trace have changed. */
void cbpor_leaf_look_again(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* Does the execution so far contain all required events? */
bool cbpor_leaf_is_inside(const struct cbpor_leaf *leaf, const struct cbpor_trace *trace);

/* Is the next event of the thread after the cut certain to be bad? The cut is of the trace that
 * was looked at last, and has no bad event. */
bool cbpor_leaf_excludes(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut, int tid);

/* A whole trace of the leaf, with its clocks: choose the events to split by, once. */
void cbpor_leaf_comb(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* The number of the split that would give the trace away; LEAF_SLOTS: none. */
uint32_t cbpor_leaf_slot(const struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* Give away; the result is the slot, -1: there is nothing to give. */
int cbpor_leaf_split(struct cbpor_leaf *leaf, struct leaf *gift, struct leaf *kept);

#endif
