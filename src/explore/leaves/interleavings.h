/* A leaf for strategies that run interleavings (dfs, icb, delay): they go through their tree as
 * usual, and turn back when the execution has left the leaf. So exactly the interleavings of
 * the leaf's traces are run, and the counts of interleavings and traces add up. Bounds are
 * counted from the beginning of the execution.
 *
 * These strategies also serve programs whose threads interact in ways that Mazur does not see.
 * So nothing is predicted here that would require the operations to show every dependence: an
 * excluded event is noticed when it has happened. What is predicted (leaf_filter_excludes)
 * follows from hashes alone.
 *
 * The first execution is a survey if the leaf has required events: it follows their schedule,
 * to know their hashes, and is given up at its end. */
#ifndef MAZUR_EXPLORE_INTERLEAVINGS_H
#define MAZUR_EXPLORE_INTERLEAVINGS_H

#include "explore/leaves/membership.h"
#include "explore/strategy/strategy.h"
#include "explore/world/hb.h"

struct leaf_filter {
    struct membership *member; /* NULL: the search is not in a leaf */
    struct hb hb;
    uint32_t looked;   /* steps of this execution that were processed */
    uint32_t followed; /* steps of the leaf that the survey has followed */
    bool surveying;
    bool bad;        /* the execution has left the leaf */
    bool gave_up;    /* the steps do not lead where they should */
    bool begun;      /* a thread was picked */
    bool asks_first; /* a data choice comes before the first step: no schedule can begin like
                      * that */
    VECTOR(struct leaf_event) events; /* of this execution, where they are needed */
    VECTOR(uint32_t) choices;
};

#define FILTER_FREE INT32_MIN /* the strategy may pick */

/* False: the leaf can't be entered. Fails with a fair bound, because the steps of the leaf need
 * not respect it. */
bool leaf_filter_enter(struct leaf_filter *filter, const struct strategy_context *context,
                       const struct leaf *leaf);
void leaf_filter_begin(struct leaf_filter *filter);
/* Before anything is picked: a thread of the survey, PICK_PRUNE, PICK_DIVERGED, or FILTER_FREE.
 */
int leaf_filter_pick(struct leaf_filter *filter, const struct position *pos);
/* A data choice: its value in a survey, else -1. */
int leaf_filter_choose(struct leaf_filter *filter, int n);
/* … and what was chosen. */
void leaf_filter_chose(struct leaf_filter *filter, int n, int value);
/* Is it certain that a step of the thread leaves the leaf? */
bool leaf_filter_excludes(const struct leaf_filter *filter, const struct position *pos,
                          int tid);
/* The threads that may be picked here, except `without`. */
threadset leaf_filter_others(const struct leaf_filter *filter, const struct position *pos,
                             int without);
/* The execution has ended: does it belong to the leaf? True: it was a survey, and the strategy
 * is where it was before it; if filter->gave_up is set the search is over. */
bool leaf_filter_end(struct leaf_filter *filter, struct strategy_context *context,
                     const struct position *pos, enum outcome outcome);
int leaf_filter_split(struct leaf_filter *filter, struct leaf *gift, struct leaf *kept);

#endif
