/* cbpor in a leaf (explore/strategy/leaf.h): only the traces of the leaf are run.
 *
 * The walk still starts at the initial state, and costs are those of the whole lattice: the
 * order of a trace with the fewest preemptions need not run the required events first. What
 * changes is the set of steps: an execution that contains a bad event (membership.h) is given
 * up, and the state after it counts as exhausted. This alone is exact. To save executions,
 * steps whose event is certain to be bad are known in advance (cbpor_leaf_excludes).
 *
 * The search goes depth first, so the part without the comb's first event comes last, and is
 * given away first. */
#ifndef MAZUR_EXPLORE_CBPOR_LEAF_H
#define MAZUR_EXPLORE_CBPOR_LEAF_H

#include "explore/cbpor/cbpor_trace.h"
#include "explore/leaves/membership.h"

struct cbpor_leaf;

/* NULL: too many threads or steps. */
struct cbpor_leaf *cbpor_leaf_create(struct pool *pool, const struct leaf *given);
/* The trace of the leaf's steps, before the search begins, unless there are none. False: its
 * events are not those that the leaf was made from. */
bool cbpor_leaf_require(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);

/* While an execution is recorded in `trace`. */
void cbpor_leaf_begin(struct cbpor_leaf *leaf);
/* Events were added to the trace. True: one of them is bad. */
bool cbpor_leaf_look(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* The same, of an execution that its last event has ended early. That event counts as the one
 * that it would have been: which step fails, or breaks an assumption, may depend on plain
 * memory, and so on steps that its operation does not depend on. A step that is excluded in
 * advance must be bad whether it fails or not. */
bool cbpor_leaf_look_at_end(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* The blocks of the trace have changed. */
void cbpor_leaf_look_again(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* Does the execution so far contain all required events? */
bool cbpor_leaf_is_inside(const struct cbpor_leaf *leaf);

/* Is the next event of the thread after the cut certain to be bad? The cut is of the trace that
 * was looked at last, and has no bad event. */
bool cbpor_leaf_excludes(const struct cbpor_leaf *leaf, const struct cbpor_cut *cut, int tid);

/* Tells the trace which objects the leaf shows to be used by several threads, before it puts
 * operations on private objects into blocks. Without leaves an execution shows it: if thread B
 * uses an object of A after A's event a and before A's event e, then B also comes to that point
 * where e follows a directly. In a leaf that excludes e there, a would be excluded with it in
 * one block, and B never seen; where it requires B's event, a and e together would leave the
 * leaf. So the objects of excluded events are shared, and required events count as seen. */
void cbpor_leaf_users(const struct cbpor_leaf *leaf, struct cbpor_trace *trace);

/* A whole trace of the leaf, with its clocks: chooses the events to split by, once. */
void cbpor_leaf_comb(struct cbpor_leaf *leaf, const struct cbpor_trace *trace);
/* The number of the split that would give away the last trace; LEAF_SLOTS: none. */
uint32_t cbpor_leaf_slot(const struct cbpor_leaf *leaf);
/* Gives away a part; returns the slot, -1: there is nothing to give away. */
int cbpor_leaf_split(struct cbpor_leaf *leaf, struct leaf *gift, struct leaf *kept);

#endif
