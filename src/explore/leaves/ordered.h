/* Leaves of strategies that reduce by races, dpor and optimal (explore/strategy/leaf.h,
 * `ordered`): the steps of the leaf are the first frames of the path, where nothing else is
 * tried; what the leaf excludes sleeps after them. A reversal in one of these frames is
 * dropped: its traces do not begin with the steps of the leaf, so they belong to another leaf.
 * Steps of leaves make no data choices.
 *
 * With a chain the path begins at its end, and goes back through its frames: in each of them
 * the chain's own event belongs to another leaf, so it sleeps, and the search starts again with
 * any other thread.
 *
 * What is given away lies before everything explored so far, in the order of the path, so
 * nothing that was counted is given away:
 *
 *     P ──▶ e1 ──▶ e2 ──▶ e3 ──▶ …       first path; e3's frame has a branch that waits
 *     kept: P e1 e2 e3                   given: P, chain e1 e2 e3
 *
 * A step that ends an execution early may depend on more than its operation says
 * (early_ends.h). A search takes this into account once it knows such a step, but one leaf does
 * not know those of another. So such a step ends the division into leaves, and the program must
 * be searched without it. So does the depth limit. */
#ifndef MAZUR_EXPLORE_ORDERED_H
#define MAZUR_EXPLORE_ORDERED_H

#include "base/pool.h"
#include "explore/strategy/leaf.h"

struct ordered_leaf {
    struct leaf leaf; /* the present leaf; step n leaves frame n */
    uint32_t fixed;   /* frames [0, fixed) are its steps before the chain */
    bool followed;    /* its steps, by the first execution */
    bool gave_up;
};

#define ORDERED_FREE INT32_MIN /* the strategy may pick */

/* NULL: it is not such a leaf. */
struct ordered_leaf *ordered_create(struct pool *pool, const struct leaf *given);
/* Is it only a part of the search? */
bool ordered_is_confined(const struct ordered_leaf *ordered);
/* Can the event be excluded here? If not, the leaf is not one of this program. */
bool ordered_may_sleep(const struct leaf_excluded *excluded, const struct position *pos);
/* At new frame `index`, where everything excluded sleeps: returns the thread of the leaf's next
 * step, PICK_PRUNE if its chain ends or can't be followed, or ORDERED_FREE. */
int ordered_follow(struct ordered_leaf *ordered, uint32_t index, const struct position *pos);
/* A data choice. */
void ordered_choose(struct ordered_leaf *ordered);

/* What splitting needs to know about a path. */
struct ordered_path {
    const void *path;
    uint32_t executed; /* frames whose step was executed */
    /* Is the frame as the first execution left it, with a step without data choices? */
    bool (*is_first)(const void *path, uint32_t index);
    /* The same, except for one earlier step that is done. */
    bool (*is_second)(const void *path, uint32_t index);
    /* Is it known that more must be explored from the frame? */
    bool (*waits)(const void *path, uint32_t index);
    uint32_t (*tid)(const void *path, uint32_t index);
    const struct op *(*op)(const void *path, uint32_t index);
    /* What a thread that sleeps in the frame would do; NULL: none does. */
    const struct op *(*sleeper)(const void *path, uint32_t index, uint32_t tid);
};

/* Between two executions: as strategy_ops.split. */
int ordered_split(struct ordered_leaf *ordered, const struct ordered_path *path,
                  struct leaf *gift, struct leaf *kept);

#endif
