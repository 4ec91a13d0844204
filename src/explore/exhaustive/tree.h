/* The path of a stateless depth-first search: one frame per decision of the execution being
 * run, threads and data choices alike. The tree of all executions exists only as this path.
 *
 *      frame 0      frame 1      frame 2
 *     ┌─0 of 3     ┌─0 of 1     ┌─0 of 2       index: alternative being explored
 *  ───┤ 1 of 3 ────┴────────────┤ 1 of 2 ──▶   count: number of alternatives
 *     └─2 of 3                  └              next path: frame 0 to 2 of 3, the rest is new
 *
 * Frames that exist when an execution begins are followed; each holds a hash of what the
 * search saw there and before, so that a program that behaves differently the second time is
 * noticed at once.
 *
 * In a leaf the execution turns back when it has left the leaf; another process searches what
 * lies beyond.
 *
 * Invariant: frames [0, fixed) are never changed by tree_advance. */
#ifndef MAZUR_EXPLORE_TREE_H
#define MAZUR_EXPLORE_TREE_H

#include "base/vector.h"
#include "explore/leaves/interleavings.h"
#include "explore/strategy/strategy.h"

#define TREE_UNSET UINT32_MAX /* `chosen` must be computed from the position */

struct tree_frame {
    uint32_t chosen;
    uint32_t index;
    uint32_t count; /* 0: not visited yet */
    uint32_t situation;
    double weight; /* of the subtree below, as a share of the whole tree (estimate.h) */
};

struct tree {
    struct pool *pool;
    VECTOR(struct tree_frame) frames;
    uint32_t cursor; /* frames passed by this execution */
    uint32_t fixed;
    uint32_t kept; /* frames of steps that repeat an earlier execution */
    bool diverged;
    double weight; /* of the whole tree */
    struct leaf_filter filter;
};

void tree_init(struct tree *tree, struct pool *pool);
void tree_begin(struct tree *tree);

/* The frame of the next decision, new or to be followed; NULL: the execution has diverged. */
struct tree_frame *tree_enter(struct tree *tree, const struct position *pos);
/* Returns the alternative that is explored now: the thread, or PICK_PRUNE if all remaining ones
 * lead out of the leaf. */
int tree_take(struct tree *tree, struct tree_frame *frame, const struct position *pos);
/* Is the decision that was just entered one of an earlier execution? */
static inline bool tree_follows(const struct tree *tree)
{
    return tree->cursor <= tree->kept;
}
/* For strategy_ops.mark and go_on. */
bool tree_mark(const struct tree *tree, struct strategy_mark *mark);
enum strategy_goes_on tree_go_on(struct tree *tree, const struct strategy_mark *mark);
/* A data choice; the result is the value, 0 after a divergence. */
int tree_choose(struct tree *tree, int n);
/* Sets the number of alternatives of a new frame. */
void tree_open(struct tree *tree, struct tree_frame *frame, uint32_t count);
/* Appends a frame that must be followed as it is: a prefix that was explored before. */
void tree_lay(struct tree *tree, uint32_t chosen);
/* The same; reports what could not be reached as lost, unless it belongs to another leaf. */
bool tree_advance_search(struct strategy_context *context, struct tree *tree);
/* Share of the execution that ended, for the estimate; 0 in a leaf. */
double tree_weight(const struct tree *tree);

#endif
